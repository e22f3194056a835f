import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command, InvalidArgumentError, Option } from 'commander';
import { mint } from '../apiKey.ts';
import { type Contract, readContract } from '../contract/contract.ts';
import { readDocument } from '../contract/document.ts';
import type { Case } from '../contract/test/case.ts';
import { CommandFailed, contract as ownContract } from './command.ts';
import { type Exchange, openExchange } from './exchange.ts';

interface Options {
  readonly url: URL;
  readonly key: string;
  readonly junit?: string;
  readonly json: boolean;
  readonly requests?: number;
  readonly seed: number;
  readonly document?: string;
}

export const contractTest = new Command('test')
  .description(
    'hold a running server against openapi.yaml: valid and invalid requests for every operation, made from its schemas ' +
      'and examples, and every reply judged as a whole.\n\n' +
      'It CREATES animals on that server, some 30 of them, and removes only what it created, where the document has an ' +
      'operation for that. It sends some 220 requests: most are paid for by the key, about 60, those without a valid ' +
      'key, by the quota of this address. After a 429 it waits up to a minute, as Retry-After says; what would take ' +
      'longer is not sent, and reported.\n\n' +
      'Exit 0: all passed; 1: something failed or was not sent; 2: wrong usage.',
  )
  .addOption(
    new Option('--url <url>', 'where the server is: http://127.0.0.1:3000').argParser(address).makeOptionMandatory(),
  )
  .addOption(
    new Option('--key <key>', 'a valid API key of that server; it is never shown')
      .argParser(bearer)
      .makeOptionMandatory(),
  )
  .addOption(new Option('--junit <file>', 'write the report as JUnit XML too'))
  .option('--json', 'print the report as JSON', false)
  .addOption(
    new Option('--requests <n>', 'send n requests: fewer are a random choice, more add random mixtures').argParser(
      whole,
    ),
  )
  .addOption(
    new Option('--seed <n>', 'which choice and which mixtures; the same number sends the same')
      .argParser(whole)
      .default(1),
  )
  .addOption(new Option('--document <file>', 'another document than this project’s openapi.yaml'))
  .action(async (options: Options) => {
    const { url, key, seed, requests } = options;
    const contract = options.document === undefined ? ownContract() : documentAt(options.document);
    // Only here: the other commands need not wait for what this one alone needs.
    const [{ casesOf, mixedCases }, { buildJudge }, run, report, { junitReport }] = await Promise.all([
      import('../contract/test/cases.ts'),
      import('../contract/test/judge.ts'),
      import('../contract/test/run.ts'),
      import('../contract/test/report.ts'),
      import('../contract/test/junit.ts'),
    ]);
    const root = url.href.replace(/[?#].*$/, '').replace(/\/+$/, '');
    const server = root.endsWith(contract.basePath) ? root.slice(0, -contract.basePath.length) : root;
    const nobodys = mint().key;
    const authorization = {
      valid: `Bearer ${key}`,
      unknown: `Bearer ${nobodys}`,
      malformed: 'Bearer not-a-key',
      basic: 'Basic bm9ib2R5Om5vdGhpbmc=',
      none: null,
    };
    const exchange = openExchange(new URL(server), (credential) => authorization[credential]);
    try {
      const now = Date.now();
      const all = casesOf(contract, now);
      await checkServer(exchange.send, all, server);
      const random = run.seededRandom(seed);
      const chosen = requests !== undefined && requests < all.length ? run.chooseCases(all, requests, random) : all;
      const result = await run.runCases({
        judge: buildJudge(contract, { frontDoor: true }),
        cases: withMixtures(chosen, requests === undefined ? [] : mixedCases(contract, now, random)),
        send: exchange.send,
        ...(requests === undefined ? {} : { requests }),
        wait: async (seconds, payer) => {
          process.stderr.write(
            `429: waiting ${seconds} seconds for the quota of ${payer === 'key' ? 'the key' : 'this address'}.\n`,
          );
          await sleep(seconds * 1000);
        },
      });
      const shown = report.buildReport(contract, server, result);
      process.stdout.write(options.json ? report.jsonReport(shown) : report.textReport(shown));
      if (options.junit !== undefined) write(options.junit, junitReport(shown));
      if (shown.failed > 0) throw new CommandFailed(`The server breaks the document. ${report.summaryOf(shown)}`);
      if (shown.notSent > 0) throw new CommandFailed(`Not everything could be tested. ${report.summaryOf(shown)}`);
    } finally {
      exchange.close();
    }
  });

function* withMixtures<T>(first: readonly T[], then: Iterable<T>): Generator<T> {
  yield* first;
  yield* then;
}

/** Fails at once where nothing answers, or the key is refused: every check would say the same. */
async function checkServer(send: Exchange['send'], cases: readonly Case[], server: string): Promise<void> {
  const [safe] = cases.filter(
    ({ request, statuses }) =>
      request.method === 'GET' && request.credential === 'valid' && statuses.some((status) => status < 300),
  );
  if (safe === undefined) return;
  const reply = await send(safe.request).catch((cause: unknown) => {
    throw new CommandFailed(`Nothing answers at ${server}. Start the server, or name another with --url.`, { cause });
  });
  if (reply.status === 401)
    throw new CommandFailed(`The server at ${server} refuses the key: 401. Give one with --key that is valid there.`);
}

function documentAt(file: string): Contract {
  try {
    return readContract(readDocument(file));
  } catch (cause) {
    throw new CommandFailed(`--document ${file} cannot be tested against`, { cause });
  }
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (cause) {
    throw new CommandFailed(`--junit ${file} cannot be written`, { cause });
  }
}

function address(text: string): URL {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new InvalidArgumentError('It takes an address like http://127.0.0.1:3000.');
  return new URL(text);
}

/** A key goes into a header. */
function bearer(text: string): string {
  if (!/^[\x21-\x7e]+$/.test(text))
    throw new InvalidArgumentError('It takes an API key: letters and digits, without blanks.');
  return text;
}

function whole(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It takes a whole number from 1 to 999999999.');
  return Number(text);
}
