import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from '../src/config.ts';
import { newFolder, run } from './cli/program.ts';

const right = {
  host: '127.0.0.1',
  port: 3000,
  databaseUrl: null,
  dataDir: '.data',
  logLevel: 'info',
  trustProxy: [],
  migrateOnStart: true,
  mocks: false,
};

/** [variable, value, what the message must not hold] */
const wrong: [string, string, string?][] = [
  ['HOST', 'not a host'],
  ['HOST', '[::1]'],
  ['HOST', 'http://localhost'],
  ['HOST', '-x'],
  ['HOST', `${'a.'.repeat(130)}a`],
  ['PORT', '-1'],
  ['PORT', '65536'],
  ['PORT', '3000x'],
  ['PORT', '0x50'],
  ['PORT', '80.0'],
  ['PORT', ' '],
  ['PORT', '30\n00'],
  ['DATABASE_URL', 'localhost:5432', 'localhost'],
  ['DATABASE_URL', 'mysql://root:geheim@localhost/pets', 'geheim'],
  ['DATABASE_URL', 'postgres://user:ge#heim@localhost/pets', 'heim'],
  ['DATABASE_URL', 'postgres://user:geheim@localhost:99999/pets', 'geheim'],
  ['DATABASE_URL', 'postgres://user:geheim%zz@localhost/pets', 'geheim'],
  ['LOG_LEVEL', 'verbose'],
  ['LOG_LEVEL', 'INFO'],
  ['TRUST_PROXY', 'true'],
  ['TRUST_PROXY', '10.0.0.0/33'],
  ['TRUST_PROXY', '10.0.0.0/8/8'],
  ['TRUST_PROXY', '::1/129'],
  ['TRUST_PROXY', '10.0.0.1,,10.0.0.2'],
  ['TRUST_PROXY', 'proxy.example'],
  ['TRUST_PROXY', '1'],
  ['MIGRATE_ON_START', 'yes'],
  ['MIGRATE_ON_START', 'False'],
  ['MOCKS', '1'],
];

describe('the environment', () => {
  test('is the defaults where nothing is set, or set to nothing', () => {
    const names = ['HOST', 'PORT', 'DATABASE_URL', 'DATA_DIR', 'LOG_LEVEL', 'TRUST_PROXY', 'MIGRATE_ON_START', 'MOCKS'];
    expect(readConfig({})).toEqual(right);
    expect(readConfig(Object.fromEntries(names.map((name) => [name, ''])))).toEqual(right);
  });

  test.each([
    [
      { HOST: '::', PORT: '0' },
      { host: '::', port: 0 },
    ],
    [
      { HOST: 'pets-1.example.org', PORT: '65535' },
      { host: 'pets-1.example.org', port: 65_535 },
    ],
    [
      { DATABASE_URL: 'postgresql:///pets?host=/var/run/postgresql' },
      { databaseUrl: 'postgresql:///pets?host=/var/run/postgresql' },
    ],
    [
      { DATA_DIR: '/var/lib/animals', LOG_LEVEL: 'silent' },
      { dataDir: '/var/lib/animals', logLevel: 'silent' },
    ],
    [
      { TRUST_PROXY: 'loopback, 10.0.0.0/8,::1,fd00::/8' },
      { trustProxy: ['loopback', '10.0.0.0/8', '::1', 'fd00::/8'] },
    ],
    [{ MIGRATE_ON_START: 'false' }, { migrateOnStart: false }],
  ])('%o is read', (env, part) => {
    expect(readConfig(env)).toEqual({ ...right, ...part });
  });

  test.each(wrong)('%s=%j is refused in one line that names it', (name, value, secret) => {
    const error = failureOf(() => readConfig({ [name]: value }));
    expect(error).toBeInstanceOf(ConfigError);
    expect(error?.message).toMatch(new RegExp(`^${name} must .+$`));
    expect(error?.message).not.toContain(secret ?? '\n');
    expect(error?.message.length).toBeLessThan(300);
  });

  test('cannot be changed once it is read', () => {
    expect(Object.isFrozen(readConfig({}))).toBe(true);
  });
});

describe('a wrong variable stops every command, and nothing is touched', () => {
  // A message of one line is a message of one line for all: one value of each variable goes through the whole program.
  const once = [...new Map(wrong.map((one) => [one[0], one])).values()];
  test.concurrent.each([
    ...once.map(([name, value]) => ['serve', name, value]),
    ['keys list', 'PORT', 'x'],
    ['migrate', 'DATABASE_URL', 'mysql://root:geheim@localhost/pets'],
    ['serve', 'HOST', 'no-such-host.invalid'],
    ['serve', 'HOST', '192.0.2.1'],
  ])('%s with %s=%j', async (command, name = '', value = '') => {
    const dataDir = join(newFolder(), 'data');
    const { code, stdout, stderr } = await run(command.split(' '), { PORT: '0', DATA_DIR: dataDir, [name]: value });
    expect(stderr).toMatch(new RegExp(`^${name} must [^\n]+\n$`));
    expect(stderr).not.toContain('geheim');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(existsSync(dataDir)).toBe(false);
  });
});

function failureOf(action: () => unknown): Error | undefined {
  try {
    action();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  return undefined;
}
