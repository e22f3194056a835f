/**
 * Our server with an admission that lets everybody in without asking: what the limits cost is the difference.
 * Users have no such switch, so this file is the only place where it exists. It reads its settings and writes its log
 * as `serve` does; it makes no schema and closes nothing in good order.
 */

import { pino } from 'pino';
import { handlers } from '../generated/handlers.ts';
import { contract as readContract } from '../src/cli/command.ts';
import { readConfig } from '../src/config.ts';
import { buildServer } from '../src/http/server.ts';
import { Admission } from '../src/store/admission.ts';
import { openStore } from '../src/store/store.ts';
import type { Verdict } from '../src/store/verdict.ts';

const quota = 1_000_000_000;

/** Asks nobody: no key, no ban, no quota, no clock of the database. */
class OpenDoor extends Admission {
  override admit(): Verdict {
    const now = Date.now();
    const windows = { minuteEnd: now + 60_000, dayEnd: now + 86_400_000 };
    const usage = { perMinute: quota, perDay: quota, minuteUsed: 1, dayUsed: 1, ...windows, now };
    return { outcome: 'admitted', keyId: 'bench', usage };
  }
}

const config = readConfig(process.env);
const contract = readContract();
const url = config.databaseUrl ?? '';
const terms = {
  plans: contract.limits.plans,
  banDurations: contract.limits.ban.durations,
  cleanPeriod: contract.limits.ban.cleanPeriod,
};
const store = { ...openStore(url, terms), admission: new OpenDoor(url, terms) };
const lines = pino.destination({ dest: 1, sync: false, minLength: 16_000, periodicFlush: 100 });
const log = { logger: pino({ level: config.logLevel, base: null }, lines), lines };
const server = await buildServer({ contract, handlers, store, log, trustProxy: config.trustProxy });
console.error(await server.listen({ host: config.host, port: config.port }));
