import { describe, expect, test } from 'vitest';
import { linkTarget } from '../../src/client/links.ts';

const base = 'https://api.test/v1/pets?limit=2';
const next = (header: string | null) => linkTarget(header, 'next', base)?.href ?? null;

describe('linkTarget (RFC 8288)', () => {
  test.each([
    ['</v1/pets?cursor=a>; rel="next"', 'https://api.test/v1/pets?cursor=a'],
    ['<?cursor=a>;rel=next', 'https://api.test/v1/pets?cursor=a'],
    ['<https://other.test/x>; rel="next"', 'https://other.test/x'],
    ['</a>; rel="prev", </b>; rel="next"', 'https://api.test/b'],
    ['</a>; rel="prev",</b>;rel="next",</c>;rel="next"', 'https://api.test/b'],
    ['</a>; rel="prev last NEXT"', 'https://api.test/a'],
    ['</a,b;c>; rel="next"', 'https://api.test/a,b;c'],
    ['</a> ; title="x, </evil>; rel=\\"next\\"" ; rel="prev", </b>; REL = "next"', 'https://api.test/b'],
    ['</a>; title="; rel=next"', null],
    ['</a>; rel="prev"; rel="next"', null],
    ['</a>; rel="next"; anchor="#x", </b>; rel="next"', 'https://api.test/b'],
    ['</a>; crossorigin; rel="next"', 'https://api.test/a'],
    ['</a>; rel="nextish"', null],
    ['<http://[>; rel="next"', null],
    ['garbage', null],
    ['', null],
    [null, null],
  ])('%s', (header, target) => {
    expect(next(header)).toBe(target);
  });

  test('a long header takes no long time', () => {
    const started = performance.now();
    next(`</a>${'; '.repeat(20_000)}`);
    next(`</a>${';a="'.repeat(20_000)}`);
    next('<'.repeat(20_000));
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
