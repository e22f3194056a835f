import { setImmediate as nextRound } from 'node:timers/promises';
import { Failure, unavailable } from '../failure.ts';
import { sqlState } from './connection.ts';

/**
 * Asks PostgreSQL all questions in one statement and gives the answers in the order of the questions; an error as an
 * answer fails that question alone.
 */
export type Ask<Question, Answer> = (questions: readonly Question[]) => Promise<readonly (Answer | Error)[]>;

/** Milliseconds after which a statement waits no longer for others to come along. */
const patience = 2;

interface Waiting<Question, Answer> {
  readonly question: Question;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * While one statement is under way, all who arrive wait together and become the next one. So a connection is never
 * idle and never asked twice at once, the cost of a round trip is shared by all who came during the last one, and a
 * question joins only a statement that has not been sent: its answer holds all that was committed before it was asked.
 */
export class Batch<Question, Answer> {
  readonly #ask: Ask<Question, Answer>;
  readonly #most: number;
  #waiting: Waiting<Question, Answer>[] = [];
  /** How many questions are in the statement under way. */
  #asked = 0;

  /** `most` questions may wait; one more is refused with 503 instead of queueing without end. */
  constructor(ask: Ask<Question, Answer>, most: number) {
    this.#ask = ask;
    this.#most = most;
  }

  /** How many questions wait for the next statement. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** How many questions have no answer yet. */
  get unanswered(): number {
    return this.#asked + this.#waiting.length;
  }

  ask(question: Question): Promise<Answer> {
    if (this.#waiting.length >= this.#most) {
      return Promise.reject(unavailable(new Error(`${this.#most} questions are waiting for PostgreSQL already`)));
    }
    return new Promise((resolve, reject) => {
      const isIdle = this.unanswered === 0;
      this.#waiting.push({ question, resolve, reject });
      if (isIdle) void this.#drain();
    });
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#gather();
      const now = this.#waiting;
      this.#waiting = [];
      this.#asked = now.length;
      try {
        await this.#settle(now);
      } catch (error) {
        for (const { reject } of now) reject(error);
        // The database is away: who came meanwhile has waited as long as it takes to know that.
        if (error instanceof Failure) for (const { reject } of this.#waiting.splice(0)) reject(error);
      }
      this.#asked = 0;
    }
  }

  /**
   * Not at once: as long as every round of the event loop brings more, they come along. That takes half off PostgreSQL's
   * work under load, and a question that is alone waits for one round only.
   */
  async #gather(): Promise<void> {
    const begin = performance.now();
    for (let seen = 0; this.#waiting.length > seen && performance.now() - begin < patience; ) {
      seen = this.#waiting.length;
      await nextRound();
    }
  }

  async #settle(batch: readonly Waiting<Question, Answer>[]): Promise<void> {
    try {
      const answers = await this.#ask(batch.map(({ question }) => question));
      for (const [index, { resolve, reject }] of batch.entries()) {
        // One answer a question is what Ask promises.
        const answer = answers[index] as Answer | Error;
        if (answer instanceof Error) reject(answer);
        else resolve(answer);
      }
    } catch (error) {
      // A value that PostgreSQL refuses (data exception, constraint) spoils the whole statement: alone, each gets its
      // own verdict.
      if (batch.length === 1 || !/^2[23]/.test(sqlState(error) ?? '')) throw error;
      for (const one of batch) {
        await this.#settle([one]).catch((reason: unknown) => {
          // The database is away: the rest would wait for it one after the other.
          if (reason instanceof Failure) throw reason;
          one.reject(reason);
        });
      }
    }
  }
}
