import { expect, test } from 'vitest';
import { statusOf } from '../../src/http/problem.ts';
import { document, readEdited } from './edited.ts';

const contract = readEdited();

/** A change of the document that changes what the service enforces shows here, line by line, for a reviewer. */
test('what the service keeps of every operation', () => {
  const policy = [...contract.operations.values()].map((operation) => ({
    [operation.id]: {
      asked: `${operation.method.toUpperCase()} ${contract.basePath}${operation.path}`,
      access: operation.access,
      deprecation: operation.deprecation,
      input: [
        ...operation.parameters.map(
          ({ name, in: place, required, type, int64, default: preset }) =>
            `${place} ${name}${required ? '' : '?'}: ${int64 ? 'int64' : type}${preset === undefined ? '' : ` = ${String(preset)}`}`,
        ),
        ...(operation.body === null ? [] : [`body: ${operation.body}`]),
      ],
      answers: [...operation.responses].map(([status, { headers }]) =>
        `${status} ${[...headers]
          .filter(([name]) => !/ratelimit|x-request-id/.test(name))
          .map(([name, { required }]) => name + (required ? '' : '?'))
          .join(' ')}`.trim(),
      ),
    },
  }));
  expect(policy).toMatchInlineSnapshot(`
    [
      {
        "listPets": {
          "access": "apiKey",
          "answers": [
            "200 link?",
            "400",
            "401 www-authenticate",
            "408 connection",
            "429 retry-after",
            "431 connection",
            "500",
            "503 retry-after",
          ],
          "asked": "GET /v1/pets",
          "deprecation": null,
          "input": [
            "query limit?: integer = 20",
            "query status?: string",
            "query cursor?: string",
          ],
        },
      },
      {
        "createPet": {
          "access": "apiKey",
          "answers": [
            "201 location?",
            "400",
            "401 www-authenticate",
            "408 connection",
            "413",
            "415",
            "429 retry-after",
            "431 connection",
            "500",
            "503 retry-after",
          ],
          "asked": "POST /v1/pets",
          "deprecation": null,
          "input": [
            "body: #/paths/~1pets/post/requestBody/content/application~1json/schema",
          ],
        },
      },
      {
        "getPet": {
          "access": "apiKey",
          "answers": [
            "200 deprecation sunset link",
            "400 deprecation sunset link",
            "401 www-authenticate deprecation sunset link",
            "404 deprecation sunset link",
            "408 connection",
            "410 sunset link",
            "429 retry-after deprecation sunset link",
            "431 connection",
            "500 deprecation sunset link",
            "503 retry-after deprecation sunset link",
          ],
          "asked": "GET /v1/pets/{petId}",
          "deprecation": {
            "replacedBy": "listPets",
            "since": 1795132800,
            "sunset": 1922659200,
            "sunsetDay": "2030-12-05",
          },
          "input": [
            "path petId: int64",
          ],
        },
      },
    ]
  `);
});

test('what the service keeps of limits', () => {
  expect(contract.limits).toMatchInlineSnapshot(`
    {
      "anonymous": {
        "perDay": 10000,
        "perMinute": 300,
      },
      "ban": {
        "cleanPeriod": 86400,
        "durations": [
          300,
          900,
          3600,
          86400,
        ],
      },
      "plans": Map {
        "free" => {
          "perDay": 1000,
          "perMinute": 60,
        },
        "pro" => {
          "perDay": 10000,
          "perMinute": 300,
        },
        "business" => {
          "perDay": 100000,
          "perMinute": 1000,
        },
        "enterprise" => "custom",
      },
    }
  `);
});

test('every documented error code has its status', () => {
  expect(
    Object.fromEntries(contract.errorCodes.map((code) => [code, Reflect.get(statusOf, code)])),
  ).toMatchInlineSnapshot(`
    {
      "api_key_banned": 429,
      "headers_too_large": 431,
      "internal_error": 500,
      "invalid_api_key": 401,
      "invalid_request": 400,
      "method_not_allowed": 405,
      "missing_api_key": 401,
      "not_found": 404,
      "operation_removed": 410,
      "payload_too_large": 413,
      "rate_limit_exceeded": 429,
      "request_timeout": 408,
      "service_unavailable": 503,
      "unsupported_media_type": 415,
    }
  `);
});

test('every response declares the rate limit headers and the request id', () => {
  for (const { id, responses } of contract.operations.values())
    for (const [status, { headers }] of responses)
      for (const name of [
        'x-ratelimit-limit',
        'x-ratelimit-remaining',
        'x-ratelimit-reset',
        'ratelimit-policy',
        'ratelimit',
        'x-request-id',
      ])
        expect(headers.get(name)?.required, `${id} ${status} ${name}`).toBe(true);
});

test('the document is named by its hash', () => {
  expect(document.hash).toMatch(/^[0-9a-f]{16}$/);
});
