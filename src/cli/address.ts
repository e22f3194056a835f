import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { type Config, ConfigError } from '../config.ts';
import { CommandFailed } from './command.ts';

/** The IP address of `HOST`. Throws, before anything is touched, where one cannot listen on it and `PORT`. */
export async function claimAddress(config: Config): Promise<string> {
  try {
    const { address } = await lookup(config.host);
    const probe = createServer().listen({ host: address, port: config.port });
    await once(probe, 'listening');
    await new Promise((resolve) => probe.close(resolve));
    return address;
  } catch (error) {
    return refuse(config)(error);
  }
}

/** Throws what it means for the person at the terminal that one cannot listen. */
export function refuse({ host, port }: Config): (error: unknown) => never {
  return (error) => {
    switch (error instanceof Error && 'code' in error ? error.code : undefined) {
      case 'EADDRINUSE':
        throw new CommandFailed(
          `PORT ${port} of ${host} is taken by another program. Stop it, or set PORT to another one; 0 picks a free one.`,
        );
      case 'EACCES':
        throw new CommandFailed(`PORT ${port} is not for this user. Set PORT to one from 1024 on.`);
      case 'EADDRNOTAVAIL':
      case 'ENOTFOUND':
      case 'EAI_AGAIN':
      case 'EINVAL':
        throw new ConfigError(`HOST must be an address of this machine, and ${host} is none.`);
    }
    throw error;
  };
}

/** Where a browser on this machine finds who listens there. */
export function originOf({ address, port }: { address: string; port: number }): string {
  const host = address === '::' || address === '0.0.0.0' ? '127.0.0.1' : address;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
