import { ContractError, type Document, entries, items, type JsonObject, member } from './document.ts';
import { type Limits, readLimits } from './limits.ts';
import { type Operation, readOperations } from './operations.ts';

/** All that openapi.yaml promises, checked: what the server is built from. */
export interface Contract {
  readonly document: Document;
  /** The path of the first server: `/v1`. */
  readonly basePath: string;
  /** By operationId, in the document's order. */
  readonly operations: ReadonlyMap<string, Operation>;
  readonly limits: Limits;
  /** The documented values of `Error.code`. */
  readonly errorCodes: readonly string[];
}

/**
 * Derives the contract from the document. Throws `ContractError` that names, all at once, every place that is unclear,
 * doubled, open, or beyond what the server can keep.
 */
export function readContract(document: Document): Contract {
  const { root } = document;
  const problems: string[] = [];
  const problem = (text: string) => void problems.push(text);

  if (!String(member(root, 'openapi')).startsWith('3.1.')) problem('openapi: must be 3.1.x, the version that is read');
  if (member(root, 'webhooks') !== undefined) problem('webhooks: the server sends none; remove them');
  if (member(root, 'jsonSchemaDialect') !== undefined)
    problem('jsonSchemaDialect: leave it out; schemas are JSON Schema 2020-12');

  const operations = readOperations(root, problem);
  let limits: Limits | undefined;
  try {
    limits = readLimits(root);
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    problems.push(...error.problems);
  }
  const basePath = readBasePath(root, problem);
  const code = member(member(member(member(member(root, 'components'), 'schemas'), 'Error'), 'properties'), 'code');
  const errorCodes = items(member(code, 'x-extensible-enum')).map(String);
  if (errorCodes.length === 0) problem('components.schemas.Error: its property code must list x-extensible-enum');
  else if ([...operations.values()].some(({ implemented }) => !implemented) && !errorCodes.includes('not_implemented'))
    problem(
      'components.schemas.Error: its property code must list not_implemented, as long as an operation is x-not-implemented',
    );

  if (problems.length > 0 || limits === undefined) throw new ContractError(problems);
  return { document, basePath, operations, limits, errorCodes };
}

/** The path of the first `servers` entry, its variables replaced by their defaults. */
function readBasePath(root: JsonObject, problem: (text: string) => void): string {
  const server = items(member(root, 'servers'))[0];
  const url = member(server, 'url');
  if (typeof url !== 'string') {
    problem('servers: the first entry needs a url; its path is the base of all operations');
    return '';
  }
  const variables = new Map(
    entries(member(server, 'variables')).map(([name, value]) => [name, member(value, 'default')]),
  );
  const filled = url.replaceAll(/\{([^}]+)\}/g, (_, name: string) => String(variables.get(name) ?? ''));
  const base = URL.canParse(filled, 'http://localhost') ? new URL(filled, 'http://localhost').pathname : '';
  if (!/^(\/[A-Za-z0-9._~-]+)+$/.test(base))
    problem(`servers: the path of ${filled} must have a segment and no trailing slash, like /v1`);
  return base;
}
