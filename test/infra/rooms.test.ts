import { expect, it } from 'vitest';
import { functions, sourceOf } from '#lib/routes';
import { GROUND, LIB, type Module, modules } from './modules.ts';

/** The rooms of the local instance, below the files that start it. */
const LOCAL = ['machine', 'services'];

const isModule = (target: string) => target.endsWith('.ts');
const inside = (...folders: string[]) =>
  modules.filter(({ path }) => folders.some((folder) => path.startsWith(`${folder}/`)));

/** Every import of these modules that is not allowed, as `<importer> -> <target>`. */
const offences = (importers: readonly Module[], allowed: (target: string, importer: string) => boolean) =>
  importers.flatMap(({ path, imports }) =>
    imports.filter(({ target }) => !allowed(target, path)).map(({ target }) => `${path} -> ${target}`),
  );

/** All modules of the repository that a bundle of this one contains. */
function reachable(path: string, found = new Set<string>()): ReadonlySet<string> {
  for (const { target, typeOnly } of modules.find((module) => module.path === path)?.imports ?? []) {
    if (typeOnly || found.has(target)) continue;
    found.add(target);
    reachable(target, found);
  }
  return found;
}

/** Room of a module within a folder. */
const roomIn = (folder: string, path: string) => path.slice(folder.length + 1).split('/')[0] ?? '';

/** Imports of a folder that lead from a room to a higher one; types count as well. */
const upward = (folder: string, rooms: readonly string[]) =>
  offences(inside(folder), (target, importer) => {
    if (!target.startsWith(`${folder}/`)) return true;
    const [from, to] = [rooms.indexOf(roomIn(folder, importer)), rooms.indexOf(roomIn(folder, target))];
    return to <= from;
  });

const BELOW: Readonly<Record<string, readonly string[]>> = {
  functions: ['lib'],
  lib: ['lib'],
  infra: ['infra', 'lib'],
  test: ['test', 'infra', 'lib', 'functions'],
};
const top = (path: string) => path.split('/')[0] ?? '';

it('imports run one way: functions to lib, infra to lib, test to all', () => {
  const isBelow = (target: string, importer: string) =>
    !isModule(target) || BELOW[top(importer)]?.includes(top(target)) === true;
  expect(offences(modules, isBelow)).toEqual([]);
});

it('imports run one way, from each room of lib to those below it', () => {
  const known = [...GROUND, ...LIB];
  expect([...new Set(inside('lib').map(({ path }) => roomIn('lib', path)))].sort()).toEqual(known.sort());
  const isGround = (path: string) => GROUND.includes(roomIn('lib', path));
  const ground = inside('lib').filter(({ path }) => isGround(path));
  expect(offences(ground, (target) => !target.startsWith('lib/') || isGround(target))).toEqual([]);
  // The types of the client's methods follow from the list of all contracts.
  expect(upward('lib', ['', ...LIB])).toEqual(['lib/client/contracts.ts -> lib/endpoints.ts']);
});

it('imports run one way, from each room of the local instance to those below it', () => {
  const starting = inside('infra/local').map(({ path }) => roomIn('infra/local', path));
  const rooms = [...LOCAL, ...starting.filter(isModule)];
  const between = upward('infra/local', rooms).filter((offence) => !/^infra\/local\/[^/]+ ->/.test(offence));
  expect(between).toEqual([]);
});

it('a service of the local instance imports no other service, except the gateway Lambda', () => {
  const folder = 'infra/local/services';
  const between = offences(inside(folder), (target, importer) => {
    const [from, to] = [roomIn(folder, importer), roomIn(folder, target)];
    return !target.startsWith(`${folder}/`) || to === from || (from === 'gateway' && to === 'lambda');
  });
  expect(between).toEqual([]);
});

it('a function imports only lib, except the list of all contracts', () => {
  expect(offences(inside('functions'), (target) => target.startsWith('lib/'))).toEqual([]);
  const listing = functions.map(sourceOf).filter((path) => reachable(path).has('lib/endpoints.ts'));
  expect(listing).toEqual([]);
});

it('the client imports no code from other rooms, only types', () => {
  const others = [...reachable('lib/client/index.ts')].filter((path) => !path.startsWith('lib/client/'));
  expect(others).toEqual([]);
});

it("the administrator's page imports code only from itself, the client, limits and rules that it shares with commands", () => {
  const allowed =
    /^lib\/(admin\/page|client)\/|^lib\/((account|outbox|token)\/limits|account\/(file|new-fields)|audit\/starts|csv|exact-json|failure|fold-case|in-parallel|parse)\.ts$|^(preact|zod|csv-parse)$/;
  const importing = inside('lib/admin/page').map(({ imports, ...module }) => ({
    ...module,
    imports: imports.filter(({ typeOnly }) => !typeOnly),
  }));
  expect(offences(importing, (target) => allowed.test(target))).toEqual([]);
});

it('only infra/aws and its tests import CDK, and no other room imports them', () => {
  // The trial of the alarms runs the service and reads the template.
  const knowing = /^(infra\/aws\/|test\/infra\/|test\/integration\/incidents\.slow)/;
  const others = modules.filter(({ path }) => !knowing.test(path));
  // The function of the authorizer imports no CDK.
  const cloud = /^(aws-cdk-lib|constructs|cdk-nag|infra\/aws\/(?!authorizer\/function).*|test\/infra\/.*)$/;
  expect(offences(others, (target) => !cloud.test(target))).toEqual([]);
});

it('infra/aws imports nothing from the local instance', () => {
  expect(offences(inside('infra/aws'), (target) => !target.startsWith('infra/local/'))).toEqual([]);
});

it('nothing in functions or lib reads a whole table', () => {
  const scanning = inside('functions', 'lib').filter(({ text }) =>
    /\bScanCommand|\bpaginateScan|\.scan\(|PartiQL|ExecuteStatement/.test(text),
  );
  expect(scanning.map(({ path }) => path)).toEqual([]);
});
