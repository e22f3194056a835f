// An operation that openapi.yaml does not have, documented like the others.

const limits = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit-Policy',
  'RateLimit',
  'X-Request-Id',
];
const components = [
  'RateLimitLimit',
  'RateLimitRemaining',
  'RateLimitReset',
  'RateLimitPolicy',
  'RateLimit',
  'RequestId',
];
const headers = limits
  .map((name, index) => `            ${name}:\n              $ref: '#/components/headers/${components[index]}'\n`)
  .join('');

const failures = {
  400: 'InvalidRequest',
  401: 'Unauthorized',
  408: 'RequestTimeout',
  429: 'TooManyRequests',
  431: 'HeadersTooLarge',
  500: 'InternalError',
  503: 'ServiceUnavailable',
};

const error = (status: number, description: string) => `        '${status}':
          description: ${description}
          headers:
${headers}          content:
            application/json:
              schema:
                $ref: '#/components/schemas/Error'
`;

const operation = (implemented: boolean) => `    delete:
      operationId: deletePet
      tags: [animals]
      summary: Remove an animal
      description: Removes an animal for good.
      x-stability-level: stable
${implemented ? '' : '      x-not-implemented: true\n'}      security:
        - apiKey: []
      parameters:
        - name: petId
          in: path
          required: true
          description: Identifier of the animal to remove.
          schema:
            type: integer
            format: int64
          example: 1
      responses:
        '204':
          description: The animal is gone.
          headers:
${headers}${error(404, 'There is no animal with this identifier.')}${implemented ? '' : error(501, 'Not written yet.')}${Object.entries(
  failures,
)
  .map(([status, name]) => `        '${status}':\n          $ref: '#/components/responses/${name}'\n`)
  .join('')}`;

/** openapi.yaml with `DELETE /pets/{petId}`, 204: as one that is written, or as one that is `x-not-implemented`. */
export function withDeletePet(yaml: string, { implemented = true } = {}): string {
  const [paths = '', rest = ''] = yaml.split(/^(?=components:)/m);
  const whole = paths + operation(implemented) + rest;
  return implemented
    ? whole
    : whole.replace('            - internal_error\n', '            - internal_error\n            - not_implemented\n');
}
