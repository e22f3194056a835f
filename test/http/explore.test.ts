import { test } from 'vitest';
import { startService, send } from '../service.ts';
import { sendRaw, open, readReplies } from './raw.ts';
test('x', async () => {
  const service = await startService();
  const { key } = await service.newKey();
  const port = Number(new URL(service.url).port);
  const show = async (name: string, method: string, path: string, asked: object) => {
    const t = performance.now();
    const r = await send(port, method, path, { key, ...asked }).catch((e) => ({ status: String(e), headers: new Headers(), text: '' }));
    console.log(name.padEnd(35), Math.round(performance.now() - t), r.status, r.headers.get('allow'), r.headers.get('www-authenticate'), r.headers.get('x-ratelimit-limit'), r.text.slice(0, 220));
  };
  const ok = '{"name":"Rex","categoryId":5}';
  for (const type of ['application/json', 'application/json;', 'application/json ;charset=utf-8', 'APPLICATION/JSON', 'application/json; charset', 'application/json; charset=', 'application/json; charset="utf-8"', 'application/json; charset="utf-8', 'application/json; charset=utf8', 'application/json; charset=utf-8; charset=utf-16', 'application/json; a=b', 'application/json; a="b;c"', 'application/json; a="charset=utf-16"', 'application/json; ;', 'application/json, text/plain', 'application/jsonx', 'application/json; =x', 'application/json;\t', 'application/json; charset=us-ascii', 'text/plain', '', 'application/json; charset = utf-16', 'application/json; charset=utf-16', 'application/vnd.api+json', '*/*', 'application/json; a b', 'application/json; é'])
    await show('ct ' + type, 'POST', '/v1/pets', { body: ok, headers: { 'content-type': type } });
  for (const enc of ['gzip', 'identity', '']) await show('ce ' + enc, 'POST', '/v1/pets', { body: ok, headers: { 'content-encoding': enc } });
  for (const b of ['', ' ', 'null', '[]', '"x"', '5', 'true', '{', ok + 'x', '\ufeff' + ok, '{"name":"\\u0000","categoryId":5}', '{"name":"\\ud800","categoryId":5}', '{"name":"a","categoryId":5,"__proto__":{}}', '{"name":"a","categoryId":5,"\\u005f_proto__":1}', '{"name":"a","categoryId":5,"x":[{"y":{"__proto__":null}}]}', '{"name":"a","categoryId":5,"constructor":{"prototype":{"x":1}}}', '{"name":"a","categoryId":5,"x":"\\u0000"}', '{"name":"__proto__","categoryId":5}', '{"name":"\\"__proto__\\":","categoryId":5}', '['.repeat(60000), '{"x":' + '['.repeat(65) + ']'.repeat(65) + '}', '{"name":"a","categoryId":5,"x":' + '['.repeat(63) + ']'.repeat(63) + '}', '{"name":"","categoryId":"5","status":"x"}', '{"name":"a","name":"b","categoryId":5}', '{"name":"a","categoryId":5,"status":null}', '{"toString":1}', '{"name":"a","categoryId":9007199254740993,"categoryId":5}', '{"name":"a","categoryId":5,"categoryId":9007199254740993}', '{"name":"a","categoryId":1' + '0'.repeat(60000) + '}', '{"name":"a","categoryId":1e' + '9'.repeat(60000) + '}', '{"name":"a","categoryId":NaN}', "{'name':'a'}", '{"name":"a","categoryId":0x10}', '{"name":"a","categoryId":05}', '{"name":"a","categoryId":+5}','{"name":"a","categoryId":0e99999999999}','{"name":"a","categoryId":{"a":1}}', '{"name":5,"categoryId":5}', '{"name":"' + '😀'.repeat(255) + '","categoryId":5}', '{"name":"' + '😀'.repeat(256) + '","categoryId":5}'])
    await show('body ' + b.slice(0, 70), 'POST', '/v1/pets', { body: b, headers: { 'content-type': 'application/json' } });
  await show('no body no ct', 'POST', '/v1/pets', {});
  await show('no body', 'POST', '/v1/pets', { headers: { 'content-type': 'application/json' } });
  for (const q of ['limit=5', 'limit=05', 'limit=5.0', 'limit=1e1', 'limit=0x5', 'limit=%205', 'limit=+5', 'limit=%2B5', 'limit=', 'limit', 'limit=5&limit=5', 'limit=5&limit=', 'limit=0', 'limit=101', 'limit=-1', 'limit=-0', 'limit=99999999999999999999', 'limit=5%00', 'limit=٥', 'limit=%D9%A5', 'limit[]=5', 'limit%5B%5D=5', 'li%6dit=5', 'limit=%35', 'LIMIT=500', 'status=', 'status=gone', 'status=SOLD', 'status=sold&status=sold', 'cursor=', 'cursor=x', 'cursor=%00', 'cursor=a&cursor=a', '__proto__=5', 'constructor=5', '&&&', '=', 'x=1;limit=500', 'limit=5;', 'api_key=' + key, '%', '%zz=1', 'limit=5&%zz', 'status=%ff', 'cursor=%ff%ff', 'limit=5#x', '?limit=5', Array.from({length: 1100}, (_, i) => `a${i}=1`).join('&') + '&limit=500', Array.from({length: 1100}, (_, i) => `a=1`).join('&') + '&limit=500'])
    await show('query ' + q.slice(0, 60), 'GET', '/v1/pets?' + q, {});
  for (const p of ['/v1/pets/', '/v1//pets', '//v1/pets', '/v1/pets//1', '/v1/pets/1/', '/v1', '/v1/', '/', '/V1/pets', '/v1/Pets', '/v1/pets/1/x', '/v1/pets/-0', '/v1/pets/00', '/v1/pets/1.0', '/v1/pets/1e0', '/v1/pets/9223372036854775807', '/v1/pets/9223372036854775808', '/v1/pets/-9223372036854775808', '/v1/pets/-9223372036854775809', '/v1/pets/%31', '/v1/pets/1%20', '/v1/pets/+1', '/v1/pets/x'.padEnd(9000, 'x'), '/v1/pets/__proto__', '/v1/pets/constructor', '/v1/pets/*', '/v1/pets/:petId', '/v1/pets/{petId}', '/v1/pets/1?petId=2', '/v1/pets/%2e%2e', '/v1/pets/..', '/v1/pets\\1', '/%761/pets','/%761/nothing', 'http://x/v1/nothing', '/v1/pets;a', '/v1/pets/1;a', '/v1/pets/0'])
    await show('path ' + p.slice(0, 60), 'GET', p, {});
  for (const auth of ['Bearer', 'Bearer ', 'Bearer  ' + key, 'bearer ' + key, 'BEARER ' + key, 'Basic ' + key, 'Bearer ' + key + ' ', ' Bearer ' + key, 'Bearer ' + key + ' x', 'Bearer ' + key + ',x', 'Bearer\t' + key, key, 'Token ' + key, 'Bearer "' + key + '"', 'Bearer ' + key.toLowerCase(), 'Bearer ast_live_' + 'é'.repeat(38), 'Bearer x'.padEnd(10000, 'x'), 'Bearer'+key, 'Bearer ' + key.slice(0,-1) + (key.endsWith('0') ? '1' : '0')])
    await show('auth ' + auth.slice(0, 70), 'GET', '/v1/pets', { key: undefined, headers: { authorization: auth } });
  for (const [m, p] of [['HEAD', '/v1/pets'], ['HEAD', '/v1/pets/1'], ['HEAD', '/v1/nothing'], ['OPTIONS', '/v1/pets'], ['OPTIONS', '/v1/pets/1'], ['OPTIONS', '/v1/nothing'], ['OPTIONS', '/v1/pets/x'], ['PUT', '/v1/pets'], ['DELETE', '/v1/pets/1'], ['POST', '/v1/pets/1'], ['PROPFIND', '/v1/pets'], ['POST', '/livez'], ['HEAD', '/livez'], ['OPTIONS', '/livez'], ['DELETE', '/openapi.json'], ['POST', '/docs'], ['HEAD', '/openapi.json'], ['POST', '/metrics'], ['HEAD','/readyz']] as const)
    await show(`method ${m} ${p}`, m, p, { headers: { origin: 'https://x.example' }, body: m === 'POST' || m === 'PUT' ? '{' : undefined });
  // pipelining
  const a = `Authorization: Bearer ${key}\r\n`;
  const j = 'Content-Type: application/json\r\n';
  const count = async () => (await service.database.query('select count(*)::int as n from pets'))[0]?.['n'];
  console.log(await count());
  console.log((await sendRaw(service.url, `POST /v1/pets HTTP/1.1\r\nHost: x\r\n${a}${j}Content-Length: ${ok.length}\r\n\r\n${ok}GARBAGE\r\n\r\n`)).map((r) => r.status + r.text));
  await new Promise((r) => setTimeout(r, 200));
  console.log(await count());
  // half
  const s = await open(service.url);
  s.end(`POST /v1/pets HTTP/1.1\r\nHost: x\r\n${a}${j}Content-Length: ${ok.length}\r\n\r\n${ok.slice(0, 5)}`);
  console.log('half', (await readReplies(s)).map((r) => r.status + r.text));
  const s2 = await open(service.url);
  s2.end(`GET /v1/pets HTTP/1.1\r\nHost: x\r\n`);
  console.log('half headers', (await readReplies(s2)).map((r) => r.status + r.text));
  const s3 = await open(service.url);
  s3.end(`GET /v1/pets?limit=1 HTTP/1.1\r\nHost: x\r\n${a}\r\n`);
  console.log('half closed get', (await readReplies(s3)).map((r) => r.status + r.text));
  const s4 = await open(service.url);
  s4.end();
  console.log('nothing', (await readReplies(s4)).map((r) => r.status + r.text));
  console.log(service.log.filter((l) => l.includes('"level":50')||l.includes('"level":40')).join('\n').slice(0, 5000));
  console.log(service.log.filter((l) => l.includes('ast_live')).length);
  await service.close();
}, 100000);
