import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Failure, unavailable } from '../../src/failure.ts';
import { Batch } from '../../src/store/batch.ts';
import { Pets } from '../../src/store/pets.ts';
import { cloneDatabase, type Database } from '../database.ts';

/** A statement that the test answers when it likes; the answer to a question is twice the question. */
function scripted(most = 100) {
  const statements: { questions: readonly number[]; answer(): void; fail(error: unknown): void }[] = [];
  const batch = new Batch<number, number>(
    (questions) =>
      new Promise((resolve, reject) => {
        statements.push({
          questions: [...questions],
          answer: () => resolve(questions.map((one) => 2 * one)),
          fail: reject,
        });
      }),
    most,
  );
  return { batch, statements, asked: () => statements.map(({ questions }) => questions) };
}

/** A batch waits two rounds of the event loop; after three it is sent. */
const settled = async () => {
  for (let round = 0; round < 3; round++) await new Promise((resolve) => setImmediate(resolve));
};

function refusedByPostgres(sqlState: string): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError('refused', 7, 'error'), { code: sqlState });
}

const codeOf = (outcome: PromiseSettledResult<unknown>) =>
  outcome.status === 'fulfilled'
    ? outcome.value
    : outcome.reason instanceof Failure
      ? outcome.reason.code
      : outcome.reason.code;

describe('Batch', () => {
  test('who arrives in the same round of the event loop shares a statement', async () => {
    const { batch, statements, asked } = scripted();
    const answers = Promise.all([1, 2, 3].map((one) => batch.ask(one)));
    await settled();
    expect(asked()).toEqual([[1, 2, 3]]);
    statements[0]?.answer();
    expect(await answers).toEqual([2, 4, 6]);
  });

  test('who arrives while a statement is under way never joins it, and shares the next one', async () => {
    const { batch, statements, asked } = scripted();
    const first = batch.ask(1);
    await settled();
    const later = Promise.all([batch.ask(2), batch.ask(3)]);
    await settled();
    expect(asked()).toEqual([[1]]);
    expect(batch.waiting).toBe(2);
    statements[0]?.answer();
    expect(await first).toBe(2);
    await settled();
    expect(asked()).toEqual([[1], [2, 3]]);
    statements[1]?.answer();
    expect(await later).toEqual([4, 6]);
  });

  test('past the most that may wait the answer is 503 at once, and those who wait keep their place', async () => {
    const { batch, statements } = scripted(2);
    const first = batch.ask(1);
    await settled();
    const waiting = [batch.ask(2), batch.ask(3)];
    await expect(batch.ask(4)).rejects.toMatchObject({ code: 'service_unavailable', retryAfter: 1 });
    statements[0]?.answer();
    await first;
    await settled();
    statements[1]?.answer();
    expect(await Promise.all(waiting)).toEqual([4, 6]);
  });

  test('a database that is away fails all who wait with it, and the next question asks anew', async () => {
    const { batch, statements } = scripted();
    const first = batch.ask(1);
    await settled();
    const outcomes = Promise.allSettled([first, batch.ask(2)]);
    statements[0]?.fail(unavailable(new Error('away')));
    expect((await outcomes).map(codeOf)).toEqual(['service_unavailable', 'service_unavailable']);
    expect(statements).toHaveLength(1);
    const next = batch.ask(3);
    await settled();
    statements[1]?.answer();
    expect(await next).toBe(6);
  });

  test.each(['22021', '23514'])(
    'a question that PostgreSQL refuses with %s spoils only its own answer',
    async (sqlState) => {
      const batch = new Batch<number, number>(async (questions) => {
        if (questions.includes(2)) throw refusedByPostgres(sqlState);
        return questions.map((one) => 2 * one);
      }, 100);
      const outcomes = await Promise.allSettled([1, 2, 3].map((one) => batch.ask(one)));
      expect(outcomes.map(codeOf)).toEqual([2, sqlState, 6]);
    },
  );

  test('an answer that is an error fails its own question only', async () => {
    const batch = new Batch<number, number>(
      async (questions) => questions.map((one) => (one === 2 ? new RangeError('two') : one)),
      100,
    );
    const outcomes = await Promise.allSettled([1, 2, 3].map((one) => batch.ask(one)));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  test('a database that goes away while each question is tried alone is not waited for once per question', async () => {
    let statements = 0;
    const batch = new Batch<number, number>(async () => {
      statements++;
      throw statements === 1 ? refusedByPostgres('23514') : unavailable(new Error('away'));
    }, 100);
    const outcomes = await Promise.allSettled([1, 2, 3, 4].map((one) => batch.ask(one)));
    expect(outcomes.map(codeOf)).toEqual(Array(4).fill('service_unavailable'));
    expect(statements).toBe(2);
  });
});

describe('with PostgreSQL', () => {
  let database: Database;
  let pets: Pets;
  beforeAll(async () => {
    database = await cloneDatabase();
    pets = new Pets(database.url);
  });
  afterAll(async () => {
    await pets.close();
    await database.drop();
  });

  test('one create that breaks a constraint among good ones: each has its own verdict, and the good ones are stored', async () => {
    const names = ['Ada', 'x'.repeat(256), 'Rex', 'Bo'];
    const outcomes = await Promise.allSettled(
      names.map((name) => pets.create({ name, categoryId: 1n, status: 'available' })),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect(codeOf(outcomes[1] as PromiseRejectedResult)).toBe('23514');
    const stored = await database.query<{ id: string; name: string }>('select id, name from pets order by id');
    expect(stored.map(({ name }) => name)).toEqual(['Ada', 'Rex', 'Bo']);
    const answered = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [JSON.parse(one.value.pet).name] : []));
    expect(answered).toEqual(['Ada', 'Rex', 'Bo']);
  });
});
