import { afterEach, expect, test } from 'vitest';
import { readContract } from '../../src/contract/contract.ts';
import { parseText, readDocument } from '../../src/contract/document.ts';
import { type Service, startService } from '../service.ts';
import { freezeClock, second, times } from './judge.ts';

const noon = Date.parse('2030-05-05T12:00:10Z');

const { yaml } = readDocument(new URL('../../openapi.yaml', import.meta.url));

let service: Service | undefined;
afterEach(async () => {
  await service?.close();
  service = undefined;
});

/** A free key at a service of the edited document: how many of `n` pass, and what the last one is told. */
async function send(edit: (yaml: string) => string, n: number) {
  service = await startService({ edit });
  await freezeClock(service.database, noon);
  const { key } = await service.newKey({ plan: 'free', custom: null });
  const replies = [];
  for (let request = 0; request < n; request++) replies.push(await service.ask('GET', '/v1/pets', { key }));
  const last = replies.at(-1);
  return {
    passed: replies.filter(({ status }) => status === 200).length,
    last,
    policy: last?.headers.get('ratelimit-policy'),
  };
}

test.each([
  {
    number: 'perMinute',
    text: 'perMinute: 60',
    to: 'perMinute: 4',
    passed: 4,
    policy: '"minute";q=4;w=60, "day";q=1000;w=86400',
  },
  {
    number: 'perDay',
    text: 'perDay: 1000',
    to: 'perDay: 3',
    passed: 3,
    policy: '"minute";q=60;w=60, "day";q=3;w=86400',
  },
])('a changed plans.free.$number changes the service', async ({ text, to, passed, policy }) => {
  expect(await send((yaml) => yaml.replace(text, to), 6)).toMatchObject({ passed, policy });
});

test('a changed quota of callers without a key changes the service', async () => {
  service = await startService({ edit: (yaml) => yaml.replace(/(anonymous:\n\s+perMinute: )\d+/, '$14') });
  const codes = [];
  for (const path of times(6, '/v1/nothing')) codes.push((await service.ask('GET', path)).status);
  expect(codes).toEqual([...times(4, 404), ...times(2, 429)]);
});

test('a changed length of a ban changes the service', async () => {
  const { last } = await send(
    (yaml) => yaml.replace('perMinute: 60', 'perMinute: 2').replace('durations: [300,', 'durations: [77,'),
    5,
  );
  expect(last?.json).toMatchObject({ code: 'api_key_banned' });
  expect(last?.headers.get('retry-after')).toBe('77');
});

test('a changed clean period changes the service', async () => {
  const edit = (yaml: string) =>
    yaml.replace('perMinute: 60', 'perMinute: 2').replace('cleanPeriod: 86400', 'cleanPeriod: 100');
  service = await startService({ edit });
  const { key } = await service.newKey({ plan: 'free', custom: null });
  const lengths = [];
  for (const at of [noon, noon + 400 * second]) {
    await freezeClock(service.database, at);
    // An instance that remembers no refusal.
    const fresh = await startService({ edit, database: service.database });
    for (let request = 0; request < 4; request++) await fresh.ask('GET', '/v1/pets', { key });
    lengths.push((await fresh.ask('GET', '/v1/pets', { key })).headers.get('retry-after'));
    await fresh.close();
  }
  expect(lengths).toEqual(['300', '300']);
});

test.each([
  { flaw: 'no limits at all', from: /^x-rate-limits:\n(?: .*\n)+/m, to: '', names: 'x-rate-limits is missing' },
  { flaw: 'no plans', from: /^ {2}plans:\n(?: {4}.*\n)+/m, to: '', names: 'x-rate-limits.plans' },
  { flaw: 'no quota of a minute', from: '      perMinute: 60\n', to: '', names: 'x-rate-limits.plans.free.perMinute' },
  { flaw: 'no quota of a day', from: '      perDay: 1000\n', to: '', names: 'x-rate-limits.plans.free.perDay' },
  {
    flaw: 'a quota of nothing',
    from: 'perMinute: 60',
    to: 'perMinute: 0',
    names: 'x-rate-limits.plans.free.perMinute',
  },
  { flaw: 'half a request', from: 'perMinute: 60', to: 'perMinute: 60.5', names: 'x-rate-limits.plans.free.perMinute' },
  {
    flaw: 'a number in words',
    from: 'perMinute: 60',
    to: 'perMinute: sixty',
    names: 'x-rate-limits.plans.free.perMinute',
  },
  {
    flaw: 'more than fits',
    from: 'perMinute: 60',
    to: 'perMinute: 1000000001',
    names: 'x-rate-limits.plans.free.perMinute',
  },
  {
    flaw: 'a word of another spelling',
    from: 'perMinute: 60',
    to: 'perMinuit: 60',
    names: 'x-rate-limits.plans.free.perMinuit',
  },
  { flaw: 'half an agreement', from: 'perMinute: custom', to: 'perMinute: 5', names: 'x-rate-limits.plans.enterprise' },
  {
    flaw: 'no quota of an address',
    from: /^ {2}anonymous:\n(?: {4}.*\n)+/m,
    to: '',
    names: 'x-rate-limits.anonymous.perMinute',
  },
  { flaw: 'no terms of a ban', from: /^ {2}ban:\n(?: {4}.*\n)+/m, to: '', names: 'x-rate-limits.ban.durations' },
  { flaw: 'a ban of no time', from: '[300, 900', to: '[300, 0', names: 'x-rate-limits.ban.durations[1]' },
  { flaw: 'no clean period', from: /^ {4}cleanPeriod: .*\n/m, to: '', names: 'x-rate-limits.ban.cleanPeriod' },
])('$flaw stops the start: $names', ({ from, to, names }) => {
  const edited = yaml.replace(from, to);
  expect(edited).not.toBe(yaml);
  expect(() => readContract(parseText(edited))).toThrow(names);
});
