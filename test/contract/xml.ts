/**
 * Counts the elements of an XML text by name. Throws where it is not well-formed: a tag that is not closed, a bare `&`
 * or `<`, an attribute without quotes, a character that XML 1.0 does not have.
 */
export function wellFormed(xml: string): Record<string, number> {
  const counts: Record<string, number> = {};
  const open: string[] = [];
  const forbidden = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.exec(xml);
  if (forbidden !== null) throw new Error(`the character ${JSON.stringify(forbidden[0])} at ${forbidden.index}`);
  const token =
    /<\?xml [^<>]*\?>|<(?<end>\/)?(?<name>[a-z]+)(?<attributes>(?: [a-z]+="(?:[^<&"]|&(?:amp|lt|gt|quot|apos|#\d+);)*")*)(?<empty>\/)?>|(?:[^<&]|&(?:amp|lt|gt|quot|apos|#\d+);)+/uy;
  while (token.lastIndex < xml.length) {
    const start = token.lastIndex;
    const match = token.exec(xml);
    if (match === null) throw new Error(`not well-formed at ${start}: ${xml.slice(start, start + 80)}`);
    const { end, name, empty } = match.groups ?? {};
    if (name === undefined) continue;
    if (end !== undefined) {
      if (open.pop() !== name) throw new Error(`</${name}> at ${start} closes nothing`);
      continue;
    }
    counts[name] = (counts[name] ?? 0) + 1;
    if (empty === undefined) open.push(name);
  }
  if (open.length > 0) throw new Error(`${open.join(', ')} not closed`);
  return counts;
}
