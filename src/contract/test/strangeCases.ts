import type { Contract } from '../contract.ts';
import { at } from '../document.ts';
import { methods } from '../operations.ts';
import { type Case, elsewhere, type Request } from './case.ts';
import type { Judge } from './judge.ts';
import { sample } from './values.ts';

/** What no operation answers: methods that a path does not have, OPTIONS, paths that there are not. */
export function strangeCases(contract: Contract, judge: Judge): Case[] {
  const {
    basePath,
    operations,
    document: { root },
  } = contract;
  const make = (
    name: string,
    method: string,
    target: string,
    status: number,
    document: string,
    more: Partial<Request> = {},
  ): Case => ({
    group: elsewhere,
    name,
    request: { method, target, headers: {}, body: null, credential: 'valid', ...more },
    statuses: [status],
    document: `${status}: ${document}`,
  });
  const paths = [...new Set([...operations.values()].map(({ path }) => path))].map((path) => {
    const parameters = [...operations.values()].find((one) => one.path === path)?.parameters ?? [];
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const parameter = parameters.find((one) => one.name === name);
      return encodeURIComponent(String(sample(root, at(root, parameter?.schema ?? '#'))));
    });
    return { path, target: basePath + filled };
  });
  const strange = [
    `${basePath}/no-such-path`,
    ...paths.map(({ target }) => `${target}/`),
    ...paths.map(({ target }) => `${target}/no-such-path`),
  ].filter((target) => judge.allowed(target) === null);
  const broken = { headers: { 'content-type': 'application/json' }, body: '{', credential: 'none' } as const;
  return [
    ...paths.flatMap(({ path, target }) => {
      const all = judge.allowed(target) ?? [];
      const others = methods.map((method) => method.toUpperCase()).filter((method) => !all.includes(method));
      const says = `${path} has ${all.join(', ')}`;
      return [
        ...others.map((method) => make(`${method} ${path}`, method, target, 405, says)),
        ...others
          .slice(0, 1)
          .map((method) =>
            make(
              `${method} ${path} without a key, with a body that is no JSON`,
              method,
              target,
              405,
              `${says}; 405 comes before 401`,
              broken,
            ),
          ),
        make(`OPTIONS ${path} without a key`, 'OPTIONS', target, 204, says, { credential: 'none' }),
      ];
    }),
    ...strange.map((target) => make(`GET ${target}`, 'GET', target, 404, 'a path that does not exist')),
    ...strange
      .slice(0, 1)
      .flatMap((target) => [
        make(
          `POST ${target} without a key, with a body that is no JSON`,
          'POST',
          target,
          404,
          'a path that does not exist; 404 comes before 401',
          broken,
        ),
        make(`OPTIONS ${target}`, 'OPTIONS', target, 404, 'a path that does not exist', { credential: 'none' }),
      ]),
  ];
}
