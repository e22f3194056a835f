import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Reply } from '../replies.ts';

/** A connection on which a test writes what no HTTP client would. */
export async function open(url: string, from = '127.0.0.1'): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), localAddress: from, allowHalfOpen: true });
  await once(socket, 'connect');
  return socket;
}

/** Writes `bytes` on a connection of their own; every reply until the server closes it. */
export async function sendRaw(url: string, bytes: string | Uint8Array, from?: string): Promise<Reply[]> {
  const socket = await open(url, from);
  socket.write(bytes);
  return readReplies(socket);
}

/** Every reply until the server closes the connection. */
export async function readReplies(socket: Socket): Promise<Reply[]> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  // A server that closes while we still write resets the connection; what it said before counts.
  socket.on('error', () => {});
  await new Promise((resolve) => socket.once('end', resolve).once('close', resolve));
  socket.destroy();
  return parseReplies(Buffer.concat(chunks));
}

function parseReplies(bytes: Buffer): Reply[] {
  const replies: Reply[] = [];
  let rest = bytes;
  while (rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n');
    const [status = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n');
    const [, code] = /^HTTP\/1\.1 (\d{3}) /.exec(status) ?? [];
    if (end < 0 || code === undefined) throw new Error(`no HTTP reply: ${rest.toString('latin1').slice(0, 200)}`);
    const headers = new Headers(
      lines.map((line): [string, string] => [
        line.slice(0, line.indexOf(':')),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
    );
    const length = code === '100' ? 0 : Number(headers.get('content-length') ?? 0);
    replies.push({ status: Number(code), headers, text: rest.subarray(end + 4, end + 4 + length).toString('utf8') });
    rest = rest.subarray(end + 4 + length);
  }
  return replies;
}
