import { BlockList, isIP } from 'node:net';

/** What the environment says, checked. */
export interface Config {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** Null: the embedded PostgreSQL. */
  readonly databaseUrl: string | null;
  readonly dataDir: string;
  readonly logLevel: string;
  readonly trustProxy: readonly string[];
  readonly migrateOnStart: boolean;
  /** Whether operations that are not implemented yet answer their examples. */
  readonly mocks: boolean;
}

/** A variable that cannot be meant as it stands. The message names it and what it takes, and never its value's secrets. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

/** Names of address ranges that Fastify knows besides addresses and CIDR ranges. */
const proxyNames = ['loopback', 'linklocal', 'uniquelocal'];

/** The environment as one frozen value. Throws `ConfigError` for the first variable that is wrong. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  // An empty variable is one that is not set: that is how compose files and shells leave one out.
  const read = (name: string): string | undefined => env[name] || undefined;
  return Object.freeze({
    host: readHost(read('HOST') ?? '127.0.0.1'),
    port: readPort(read('PORT') ?? '3000'),
    databaseUrl: readUrl(read('DATABASE_URL')),
    dataDir: read('DATA_DIR') ?? '.data',
    logLevel: oneOf('LOG_LEVEL', read('LOG_LEVEL') ?? 'info', logLevels),
    trustProxy: readProxies(read('TRUST_PROXY')),
    migrateOnStart: oneOf('MIGRATE_ON_START', read('MIGRATE_ON_START') ?? 'true', ['true', 'false']) === 'true',
    mocks: oneOf('MOCKS', read('MOCKS') ?? 'false', ['true', 'false']) === 'true',
  });
}

/** Whether this is a job on GitHub, which shows annotations beside the file they speak of. */
export function isGitHub(env: NodeJS.ProcessEnv): boolean {
  return env['GITHUB_ACTIONS'] === 'true';
}

function readHost(text: string): string {
  // Whether the machine has it, listening will tell.
  if (isIP(text) === 0 && !/^(?=.{1,253}$)[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)*$/i.test(text))
    throw new ConfigError(
      `HOST must be an IP address or a host name, such as 127.0.0.1, 0.0.0.0, :: or localhost, not ${quote(text)}.`,
    );
  return text;
}

function readPort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new ConfigError(`PORT must be a whole number from 0 to 65535, not ${quote(text)}.`);
  return Number(text);
}

function readUrl(text: string | undefined): string | null {
  if (text === undefined) return null;
  // The value is not repeated: it holds a password.
  if (!URL.canParse(text) || !/^postgres(ql)?:$/.test(new URL(text).protocol) || /%(?![\da-f]{2})/i.test(text))
    throw new ConfigError('DATABASE_URL must be a PostgreSQL address: postgres://user:password@host:5432/database');
  return text;
}

function oneOf(name: string, text: string, values: readonly string[]): string {
  if (!values.includes(text)) throw new ConfigError(`${name} must be one of ${values.join(', ')}, not ${quote(text)}.`);
  return text;
}

function readProxies(text: string | undefined): string[] {
  const proxies = text?.split(',').map((proxy) => proxy.trim()) ?? [];
  for (const proxy of proxies) {
    if (!proxyNames.includes(proxy) && !isAddressOrRange(proxy))
      throw new ConfigError(
        `TRUST_PROXY must list the addresses or CIDR ranges of your proxies, or ${proxyNames.join(', ')}, separated by commas; ${quote(proxy)} is none.`,
      );
  }
  return proxies;
}

function isAddressOrRange(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  if (isIP(address) === 0 || rest.length > 0) return false;
  if (prefix === undefined) return true;
  if (!/^\d{1,3}$/.test(prefix)) return false;
  try {
    new BlockList().addSubnet(address, Number(prefix), isIP(address) === 6 ? 'ipv6' : 'ipv4');
    return true;
  } catch {
    return false;
  }
}

/** As it may stand in one line, whatever it holds. */
function quote(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
}
