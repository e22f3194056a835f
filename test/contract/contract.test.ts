import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/contract/document.ts';
import { ContractError, parseText } from '../../src/contract/document.ts';
import { create, document, type Edit, list, one, problems } from './edited.ts';

/** Each row: what stands in the document, and the beginning of the one line that refuses it. */
type Rows = readonly (readonly [edit: Edit, refusal: string, ...more: string[]])[];

const title = ([[place, value], refusal]: Rows[number]) =>
  `${place.join(' ')} = ${JSON.stringify(value) ?? 'nothing'}: ${refusal}`.replaceAll('%', '%%');

function refuses(rows: Rows): void {
  test.each(rows.map((row) => [title(row), row] as const))('%s', (_, [edit, ...refusals]) => {
    expect(problems(edit)).toEqual(refusals.map((text) => expect.stringContaining(text)));
  });
}

test('the document as it is can be kept', () => {
  expect(problems()).toEqual([]);
});

test('the document is frozen, down to its leaves', () => {
  expect(Object.isFrozen(parseText('a: [{b: {}}]').root)).toBe(true);
  expect(() => Object.assign(Object(document.root['info']), { title: 'Other' })).toThrow(TypeError);
});

test('every problem is named, not the first alone', () => {
  expect(
    problems([[...create, 'operationId'], undefined], [['x-rate-limits'], undefined], [[...list, 'security'], []]),
  ).toHaveLength(3);
});

describe('refuses, as YAML,', () => {
  test.each([
    ['two entries of one name', 'openapi: 3.1.0\nopenapi: 3.1.1\n', 'Map keys must be unique at line 2'],
    ['broken text', 'openapi: [', 'line 1'],
    ['a list', '- openapi\n', 'the document is not a mapping'],
    ['nothing', '', 'the document is not a mapping'],
  ])('%s', (_, text, message) => {
    expect(() => parseText(text)).toThrow(ContractError);
    expect(() => parseText(text)).toThrow(message);
  });
});

describe('refuses, at the root,', () => {
  refuses([
    [[['openapi'], '3.0.3'], 'openapi: must be 3.1.x'],
    [[['webhooks'], {}], 'webhooks: the server sends none'],
    [[['jsonSchemaDialect'], 'https://example.org'], 'jsonSchemaDialect: leave it out'],
    [[['servers'], undefined], 'servers: the first entry needs a url'],
    [
      [['servers', 0, 'url'], '{base_url}'],
      'servers: the path of https://api.animal-store.example must have a segment',
    ],
    [[['servers', 0, 'url'], '{base_url}/v1/'], 'no trailing slash'],
    [
      [['components', 'schemas', 'Error', 'properties', 'code', 'x-extensible-enum'], undefined],
      'must list x-extensible-enum',
    ],
    [[['paths'], {}], 'paths: there is no operation'],
  ]);
});

describe('refuses a path', () => {
  refuses([
    [[['paths', '/animals'], null], '/animals: a path holds operations by method'],
    [[['paths', 'animals'], {}], 'animals: a path begins with a slash'],
    [[['paths', '/animals/'], {}], '/animals/: a trailing slash'],
    [[['paths', '/animals//old'], {}], '/animals//old: a doubled slash'],
    [[['paths', '/animals/{pet-id}'], {}], 'the segment {pet-id} is not routed'],
    [[['paths', '/animals/{id}.json'], {}], 'the segment {id}.json is not routed'],
    [[['paths', '/animals/a b'], {}], 'the segment a b holds a character that is not routed'],
    [[['paths', '/animals/:id'], {}], 'the segment :id holds a character that is not routed'],
    [[['paths', '/pets/{id}'], {}], '/pets/{id}: answers the same addresses as /pets/{petId}'],
    [
      [['paths', '/pets', 'servers'], []],
      'SERVERS /pets: is not served',
      'listPets: servers of its own',
      'createPet: servers of its own',
    ],
    [[['paths', '/pets', '$ref'], '#/x'], '/pets: $ref of a whole path'],
    [[['paths', '/pets', 'head'], {}], 'HEAD /pets: is answered by the server itself'],
    [[['paths', '/pets', 'options'], {}], 'OPTIONS /pets: is answered by the server itself'],
    [[['paths', '/pets', 'trace'], {}], 'TRACE /pets: is not served'],
  ]);
});

describe('refuses an operation', () => {
  refuses([
    [[[...create, 'operationId'], undefined], 'POST /pets: needs an operationId'],
    [[create, null], 'POST /pets: needs an operationId'],
    [[[...create, 'operationId'], 'listPets'], 'POST /pets: the operationId listPets is taken'],
    [[[...create, 'operationId'], 'create-pet'], 'the operationId create-pet cannot name a file'],
    [[[...create, 'operationId'], 'CreatePet'], 'the operationId CreatePet cannot name a file'],
    [[[...create, 'operationId'], '../createPet'], 'cannot name a file'],
    [[[...create, 'operationId'], 'constructor'], 'the operationId constructor cannot name a file'],
    [[[...create, 'operationId'], 'toString'], 'the operationId toString cannot name a file'],
    [[[...create, 'x-stability-level'], undefined], 'createPet: needs x-stability-level'],
    [[[...create, 'x-stability-level'], 'solid'], 'createPet: needs x-stability-level'],
    [[[...create, 'callbacks'], {}], 'createPet: callbacks are not sent'],
    [[[...create, 'servers'], []], 'createPet: servers of its own'],
  ]);
});

describe('refuses a parameter', () => {
  const limit = [...list, 'parameters', 0];
  const petId = [...one, 'parameters', 0];
  const integer = { type: 'integer' };
  refuses([
    [[[...limit, 'in'], 'cookie'], 'listPets: parameter limit: in: cookie is not read'],
    [[[...limit, 'in'], 'header'], 'listPets: parameter limit: in: header is not read'],
    [[[...limit, 'name'], undefined], 'listPets: parameter 1 of the operation leads nowhere'],
    [[limit, { $ref: '#/components/parameters/Limit' }], 'listPets: parameter 1 of the operation leads nowhere'],
    [[[...limit, 'name'], 'status'], 'listPets: parameter status: is declared twice'],
    [
      [['paths', '/pets/{petId}', 'parameters'], [{ name: 'petId', in: 'path', required: true, schema: integer }]],
      'getPet: parameter petId: is declared at the path and at the operation',
    ],
    [
      [[...petId, 'name'], 'id'],
      'getPet: parameter id: is not in the path /pets/{petId}',
      'getPet: the path has {petId}, which no parameter declares',
    ],
    [[[...petId, 'required'], undefined], 'getPet: parameter petId: a path parameter is required: true'],
    [[[...one, 'parameters'], undefined], 'getPet: the path has {petId}, which no parameter declares'],
    [
      [[...limit, 'schema'], { type: 'array', items: integer }],
      'listPets: parameter limit: needs a schema of type integer, string or boolean',
    ],
    [[[...limit, 'schema', 'format'], 'int128'], 'listPets: parameter limit: format int128 is not checked'],
    ...['style', 'explode', 'allowReserved', 'allowEmptyValue', 'content'].map((keyword): Rows[number] => [
      [[...limit, keyword], {}],
      `listPets: parameter limit: ${keyword} is not read`,
    ]),
  ]);
});

describe('refuses a body', () => {
  const body = [...create, 'requestBody'];
  refuses([
    [[[...body, 'required'], undefined], 'createPet: requestBody: must be required: true'],
    [[[...body, 'content', 'text/plain'], {}], 'createPet: requestBody: text/plain is not read'],
    [
      [[...body, 'content', 'application/json', 'schema'], undefined],
      'createPet: requestBody: needs content.application/json.schema',
    ],
    [
      [[...list, 'requestBody'], { required: true, content: { 'application/json': { schema: {} } } }],
      'listPets: requestBody: a body of GET is not read',
      'listPets: does not document 413',
      'listPets: does not document 415',
    ],
  ]);
});

describe('refuses a response', () => {
  const documented: readonly (readonly [string, readonly string[], readonly number[]])[] = [
    ['listPets', list, [400, 401, 408, 429, 431, 500, 503]],
    ['createPet', create, [400, 401, 408, 413, 415, 429, 431, 500, 503]],
    ['getPet', one, [400, 401, 408, 410, 429, 431, 500, 503]],
  ];
  const ok = [...list, 'responses', '200'];
  const error = { $ref: '#/components/schemas/Error' };
  refuses([
    ...documented.flatMap(([id, place, statuses]) =>
      statuses.map((status): Rows[number] => [
        [[...place, 'responses', `${status}`], undefined],
        `${id}: does not document ${status}`,
      ]),
    ),
    [[[...list, 'responses', 'default'], {}], 'listPets: response default: default and ranges promise nothing'],
    [[[...list, 'responses', '4XX'], {}], 'listPets: response 4XX: default and ranges promise nothing'],
    [
      [[...list, 'responses', '400'], { $ref: '#/components/responses/None' }],
      'listPets: response 400: leads nowhere',
      'does not document 400',
    ],
    [[ok, undefined], 'listPets: documents no success'],
    [[[...ok, 'content'], undefined], 'listPets: response 200: needs content.application/json.schema'],
    [[[...ok, 'content', 'text/csv'], {}], 'listPets: response 200: text/csv is not sent'],
    [
      [[...ok, 'headers', 'X-RateLimit-Limit'], undefined],
      'listPets: response 200: must declare the header x-ratelimit-limit, required: true',
    ],
    [
      [[...ok, 'headers', 'X-Request-Id'], { schema: { type: 'string' } }],
      'listPets: response 200: must declare the header x-request-id, required: true',
    ],
    [[[...ok, 'headers', 'ETag'], {}], 'listPets: response 200: header ETag: needs a schema'],
    [
      [[...one, 'responses', '401', 'headers', 'WWW-Authenticate'], undefined],
      'getPet: response 401: must declare the header www-authenticate',
    ],
    [
      [[...one, 'responses', '429', 'headers', 'Retry-After'], undefined],
      'getPet: response 429: must declare the header retry-after',
    ],
    [
      [[...one, 'responses', '200', 'headers', 'Deprecation'], undefined],
      'getPet: response 200: must declare the header deprecation',
    ],
    [
      [[...one, 'responses', '410', 'headers', 'Sunset'], undefined],
      'getPet: response 410: must declare the header sunset',
    ],
    [
      [[...one, 'responses', '410', 'headers', 'Deprecation'], { required: true, schema: {} }],
      'getPet: response 410: must not declare Deprecation',
    ],
    [
      [[...one, 'responses', '404', 'content', 'application/json', 'schema'], { type: 'object' }],
      "getPet: response 404: an error's body is the schema Error",
    ],
    [
      [[...one, 'responses', '409'], { content: { 'application/json': { schema: error } } }],
      ...([
        'x-ratelimit-limit',
        'x-ratelimit-remaining',
        'x-ratelimit-reset',
        'ratelimit-policy',
        'ratelimit',
        'x-request-id',
        'sunset',
        'link',
        'deprecation',
      ].map((name) => `getPet: response 409: must declare the header ${name}`) as [string, ...string[]]),
    ],
  ]);
});

describe('refuses, in security,', () => {
  const scheme = ['components', 'securitySchemes', 'apiKey'];
  const everyOperation = (text: string): [string, string, string] => [
    `listPets: ${text}`,
    `createPet: ${text}`,
    `getPet: ${text}`,
  ];
  refuses([
    [[[...create, 'security'], []], 'createPet: has no security requirement, so it would be open'],
    [[[...create, 'security'], [{}]], 'createPet: has an empty security requirement, so it would be open'],
    [
      [
        [...create, 'security'],
        [{ apiKey: [] }, {}],
      ],
      'createPet: offers several security alternatives',
      'createPet: has an empty security requirement',
    ],
    [
      [[...create, 'security'], [{ apiKey: [], other: [] }]],
      'createPet: asks for several security schemes at once',
      'createPet: asks for the security scheme other',
    ],
    [[[...create, 'security'], [{ apiKey: ['write'] }]], 'createPet: asks for scopes of apiKey'],
    [
      [[...create, 'security'], [{ toString: [] }]],
      'createPet: asks for the security scheme toString, which components.securitySchemes does not have',
    ],
    [
      [scheme, undefined],
      ...everyOperation('asks for the security scheme apiKey, which components.securitySchemes does not have'),
    ],
    [
      [[...scheme, 'scheme'], 'basic'],
      ...everyOperation('asks for the security scheme apiKey, which nothing authenticates'),
    ],
    [
      [scheme, { type: 'apiKey', in: 'header', name: 'X-Api-Key' }],
      ...everyOperation('asks for the security scheme apiKey, which nothing authenticates'),
    ],
  ]);

  test('an operation that says nothing, where the root says nothing either', () => {
    expect(problems([['security'], undefined], [[...create, 'security'], undefined])).toEqual([
      expect.stringContaining('createPet: has no security requirement, so it would be open'),
    ]);
  });

  test('but takes what the root says', () => {
    expect(problems([[...create, 'security'], undefined])).toEqual([]);
  });
});

describe('refuses, in a schema,', () => {
  const newPet = ['components', 'schemas', 'NewPet', 'properties'];
  const name = [...newPet, 'name'];
  const categoryId = [...newPet, 'categoryId'];
  const at = (place: readonly string[], value: Json, refusal: string): Rows[number] => [
    [place, value],
    `createPet: requestBody${refusal}`,
  ];
  refuses([
    ...Object.entries({
      nullable: true,
      readOnly: true,
      writeOnly: true,
      discriminator: {},
      xml: {},
      example: 'Rex',
      $dynamicRef: '#x',
    }).map(([keyword, value]) => at([...name, keyword], value, `/name: ${keyword}`)),
    at([...name, 'format'], 'password', '/name: format password is not checked'),
    at([...name, 'format'], 'int64', '/name: format int64 goes with type: integer'),
    at([...name, '$ref'], '#/components/schemas/None', '/name: $ref #/components/schemas/None leads nowhere'),
    at([...name, '$ref'], 'other.yaml#/Name', '/name: $ref other.yaml#/Name leads nowhere'),
    at([...categoryId, 'enum'], [1, 2], '/categoryId: enum is not kept for int64'),
    at([...categoryId, 'const'], 1, '/categoryId: const is not kept for int64'),
    at([...categoryId, 'multipleOf'], 2, '/categoryId: multipleOf is not kept for int64'),
    at([...categoryId, 'default'], 1, '/categoryId: default is not kept for int64'),
    at([...categoryId, 'maximum'], 2 ** 53, '/categoryId: maximum must be an integer within 2^53'),
    at([...newPet, 'tags'], { type: 'array', items: { nullable: true } }, '/tags items: nullable'),
    at([...newPet, 'tags'], { anyOf: [{}, { nullable: true }] }, '/tags anyOf[1]: nullable'),
    at(
      [...newPet, 'tags'],
      { additionalProperties: { properties: { old: { nullable: true } } } },
      '/tags additionalProperties/old: nullable',
    ),
  ]);

  test('a $ref that goes round in a circle', () => {
    const circle = { $ref: '#/components/schemas/Circle' };
    expect(problems([['components', 'schemas', 'Circle'], circle], [name, circle])).toEqual([
      expect.stringContaining('createPet: requestBody/name: $ref #/components/schemas/Circle leads nowhere'),
    ]);
  });

  test('but takes a schema that holds itself', () => {
    expect(problems([[...newPet, 'parent'], { $ref: '#/components/schemas/NewPet' }])).toEqual([]);
  });
});
