import { test } from 'vitest';
import { casesOf, agreedCandidates } from '../../src/contract/test/cases.ts';
import { buildJudge } from '../../src/contract/test/judge.ts';
import { runCases } from '../../src/contract/test/run.ts';
import { openExchange } from '../../src/cli/exchange.ts';
import { startService } from '../service.ts';
import { mint } from '../../src/apiKey.ts';
test('x', async () => {
  const s = await startService();
  const { key } = await s.newKey();
  const ex = openExchange(new URL(s.url), (c) => c === 'valid' ? `Bearer ${key}` : c === 'unknown' ? `Bearer ${mint().key}` : c === 'malformed' ? 'Bearer x' : c === 'basic' ? 'Basic eDp5' : null);
  const t = performance.now();
  const cases = casesOf(s.contract, Date.now());
  console.log('cases', cases.length, performance.now() - t);
  for (const o of s.contract.operations.values()) {
    if (o.body) console.log(agreedCandidates(s.contract, o.body).disputed);
    for (const p of o.parameters) console.log(p.name, agreedCandidates(s.contract, p.schema).disputed);
  }
  const r = await runCases({ judge: buildJudge(s.contract), cases, send: ex.send, wait: async (n) => { throw new Error('wait ' + n); } });
  console.log(r.outcomes.length, performance.now() - t);
  for (const o of r.outcomes) console.log(o.problems.length ? 'FAIL' : 'ok', o.case.group, '|', o.case.name.slice(0, 90), '|', o.reply?.status, o.problems.length ? JSON.stringify(o.problems).slice(0, 600) : '');
  console.log([...r.seen]);
  ex.close();
  await s.close();
});
