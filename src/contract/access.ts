import { entries, items, type Json, type JsonObject, member, resolve } from './document.ts';

/**
 * The security schemes that the server authenticates, and all an operation can ask for. There is no value that means
 * "open": an operation without a requirement is refused.
 */
export type Access = 'apiKey';

/** What `operation` asks of its caller; anything but exactly one bearer key goes to `problem`. */
export function readAccess(root: JsonObject, operation: JsonObject, problem: (text: string) => void): Access {
  const own: Json | undefined = member(operation, 'security') ?? member(root, 'security');
  const requirements = items(own);
  if (requirements.length === 0)
    problem('has no security requirement, so it would be open; add security: [{apiKey: []}]');
  if (requirements.length > 1) problem('offers several security alternatives; the server knows one, name it alone');
  for (const requirement of requirements) {
    const schemes = entries(requirement);
    if (schemes.length === 0) problem('has an empty security requirement, so it would be open; name the scheme');
    if (schemes.length > 1) problem('asks for several security schemes at once; the server knows one, name it alone');
    for (const [name, scopes] of schemes) {
      const scheme = resolve(root, member(member(member(root, 'components'), 'securitySchemes'), name));
      if (scheme === undefined)
        problem(`asks for the security scheme ${name}, which components.securitySchemes does not have`);
      else if (member(scheme, 'type') !== 'http' || String(member(scheme, 'scheme')).toLowerCase() !== 'bearer')
        problem(
          `asks for the security scheme ${name}, which nothing authenticates; only type: http, scheme: bearer is kept`,
        );
      if (items(scopes).length > 0) problem(`asks for scopes of ${name}; a bearer key has none, write ${name}: []`);
    }
  }
  return 'apiKey';
}
