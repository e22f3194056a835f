import { describe, expect, test } from 'vitest';
import { compileSchemas } from '../../src/contract/compile.ts';
import { readContract } from '../../src/contract/contract.ts';
import { ContractError, type Json, parseText } from '../../src/contract/document.ts';
import { checkExamples } from '../../src/contract/examples.ts';
import { withDeletePet } from '../deletePet.ts';
import { create, document, type Edit, list, one, problems, readEdited } from './edited.ts';

// What is promised in a way that the server could not keep, beyond contract.test.ts: refused with its place.

/** What the schemas, defaults and examples of the edited document are refused for. */
function broken(...edits: readonly Edit[]): readonly string[] {
  const contract = readEdited(...edits);
  try {
    checkExamples(contract, compileSchemas(contract));
    return [];
  } catch (error) {
    if (error instanceof ContractError) return error.problems;
    throw error;
  }
}

const limit = [...list, 'parameters', 0];
const name = ['components', 'schemas', 'NewPet', 'properties', 'name'];
const ok = [...list, 'responses', '200'];
const json = ['content', 'application/json'];

describe('refused while the document is read:', () => {
  const rows: readonly (readonly [place: readonly (string | number)[], value: Json, refusal: string])[] = [
    [[...ok, 'links'], { next: { operationId: 'listPets' } }, 'listPets: response 200: links are not kept'],
    [
      [...list, 'responses', '304'],
      { $ref: '#/components/responses/InternalError' },
      'listPets: response 304: has no body and is not sent',
    ],
    [
      [...ok, 'headers', 'Link'],
      { schema: { type: 'string', format: 'uri-template' } },
      'listPets: response 200 header Link: format uri-template is not checked',
    ],
    [[...create, 'requestBody', ...json, 'encoding'], {}, 'createPet: requestBody: encoding is for forms'],
    [[...name, 'minLenght'], 1, 'createPet: requestBody/name: minLenght is no keyword that the server keeps'],
    [[...name, '$id'], 'name', 'createPet: requestBody/name: $id is no keyword'],
    [[...name, 'contentEncoding'], 'base64', 'createPet: requestBody/name: contentEncoding is no keyword'],
    [[...name, 'x-secret'], true, 'createPet: requestBody/name: x-secret is no keyword'],
    [[...name, 'type'], 'text', 'createPet: requestBody/name: type text is none'],
    [[...limit, 'schema', 'format'], 'uuid', 'listPets: parameter limit: format uuid goes with type: string'],
    [[...create, 'operationId'], 'delete', 'POST /pets: the operationId delete cannot name a file'],
    [
      [...create, 'operationId'],
      'listpets',
      'POST /pets: the operationId listpets differs from another one in its capitals alone',
    ],
    [['paths', '/pets/{petId}/friends/{petId}'], {}, '/pets/{petId}/friends/{petId}: has {petId} twice'],
  ];
  test.each(rows.map((row) => [`${row[0].join(' ')} = ${JSON.stringify(row[1])}`, row] as const))(
    '%s',
    (_, [place, value, refusal]) => {
      expect(problems([place, value])).toContainEqual(expect.stringContaining(refusal));
    },
  );

  test('204 with a body', () => {
    const yaml = withDeletePet(document.yaml).replace(
      '          description: The animal is gone.\n',
      '          description: The animal is gone.\n          content: {application/json: {schema: {type: object}}}\n',
    );
    expect(() => readContract(parseText(yaml))).toThrow(
      'deletePet: response 204: has no body, so it has no content; remove it, or answer 200',
    );
  });

  test('x-not-implemented, where the list of error codes lacks not_implemented; and nothing where it has it', () => {
    const yaml = withDeletePet(document.yaml, { implemented: false });
    expect(readContract(parseText(yaml)).operations.get('deletePet')?.implemented).toBe(false);
    expect(() => readContract(parseText(yaml.replace('            - not_implemented\n', '')))).toThrow(
      'must list not_implemented',
    );
  });
});

test('the schemas, defaults and examples of the document as it is hold', () => {
  expect(broken()).toEqual([]);
});

describe('refused when the schemas are compiled:', () => {
  const rows: readonly (readonly [place: readonly (string | number)[], value: Json, refusal: string | RegExp])[] = [
    [
      [...name, 'minimum'],
      1,
      'createPet: requestBody: missing type "number" for keyword "minimum" at #/properties/name; write it there',
    ],
    [[...name, 'pattern'], '[', 'createPet: requestBody: Invalid regular expression'],
    [[...limit, 'schema', 'minimum'], 'one', 'listPets: parameter limit: minimum value must be'],
    [
      [...ok, 'headers', 'Link'],
      { schema: { type: 'string', maxLength: '9' } },
      'listPets: response 200 header link: maxLength value must be',
    ],
    [[...limit, 'schema', 'default'], 200, 'listPets: parameter limit default breaks its own schema: must be <= 100'],
    [[...limit, 'example'], 0, 'listPets: parameter limit example breaks its own schema: must be >= 1'],
    [
      [...one, 'parameters', 0, 'example'],
      'Rex',
      'getPet: parameter petId example breaks its own schema: must be an integer from -9223372036854775808',
    ],
    [
      [...name, 'default'],
      '',
      'createPet: requestBody/name default breaks its own schema: must NOT have fewer than 1 characters',
    ],
    [
      [...name, 'examples'],
      ['Rex', 5],
      'createPet: requestBody/name examples[1] breaks its own schema: must be string',
    ],
    [
      [...create, 'requestBody', ...json, 'examples', 'minimal', 'value', 'categoryId'],
      5.5,
      'createPet: requestBody example minimal breaks its own schema: /categoryId must be an integer',
    ],
    [
      [...ok, ...json, 'examples', 'page', 'value', 0, 'status'],
      'gone',
      'listPets: response 200 example page breaks its own schema: /0/status must be equal to one of',
    ],
    [
      ['components', 'responses', 'Unauthorized', ...json, 'examples', 'missing', 'value', 'detail'],
      'x',
      'listPets: response 401 example missing breaks its own schema: must NOT have additional properties',
    ],
  ];
  test.each(rows.map((row) => [`${row[0].join(' ')} = ${JSON.stringify(row[1])}`, row] as const))(
    '%s',
    (_, [place, value, refusal]) => {
      expect(broken([place, value])).toContainEqual(expect.stringContaining(String(refusal)));
    },
  );
});
