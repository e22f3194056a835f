import { Admission, type Terms } from './admission.ts';
import { Health } from './health.ts';
import { Pets } from './pets.ts';

/** PostgreSQL, as the service sees it. */
export interface Store {
  readonly pets: Pets;
  readonly admission: Admission;
  readonly health: Health;
  /** How many questions PostgreSQL has not answered yet. */
  unanswered(): number;
  /** Closes every connection; call it after the last request. */
  close(): Promise<void>;
}

/** Opens the store at `url`. Connects with the first question, so it does not fail where the database is away. */
export function openStore(url: string, terms: Terms): Store {
  const parts = { pets: new Pets(url), admission: new Admission(url, terms), health: new Health(url) };
  return {
    ...parts,
    unanswered: () => parts.pets.unanswered + parts.admission.unanswered,
    close: async () => void (await Promise.all([parts.pets.close(), parts.admission.close(), parts.health.close()])),
  };
}
