import { describe, expect, it } from 'vitest';
import { functions, sourceOf } from '#lib/routes';
import { type Module, modules } from './modules.ts';

const room = (path: string) => path.split('/')[0] ?? '';
const inside = (...folders: string[]) =>
  modules.filter(({ path }) => folders.some((folder) => path.startsWith(`${folder}/`)));

/** Every import of these modules that is not allowed, as `<importer> -> <target>`. */
const offences = (importers: readonly Module[], allowed: (target: string, importer: string) => boolean) =>
  importers.flatMap(({ path, imports }) =>
    imports.filter(({ target }) => !allowed(target, path)).map(({ target }) => `${path} -> ${target}`),
  );

/** All modules of the repository that end up in a bundle of this one. */
function reachable(path: string, found = new Set<string>()): ReadonlySet<string> {
  for (const { target, typeOnly } of modules.find((module) => module.path === path)?.imports ?? []) {
    if (typeOnly || found.has(target)) continue;
    found.add(target);
    reachable(target, found);
  }
  return found;
}

const ROOMS: Readonly<Record<string, readonly string[]>> = {
  functions: ['lib'],
  lib: ['lib'],
  infra: ['infra', 'lib'],
  test: ['test', 'infra', 'lib', 'functions'],
};
const isModule = (target: string) => target.endsWith('.ts');

it('imports run one way: functions to lib, infra to lib, test to all', () => {
  const oneWay = (target: string, importer: string) =>
    !isModule(target) || ROOMS[room(importer)]?.includes(room(target)) === true;
  expect(offences(modules, oneWay)).toEqual([]);
});

it('every imported module exists', () => {
  const paths = new Set(modules.map(({ path }) => path));
  expect(offences(modules, (target) => !isModule(target) || paths.has(target))).toEqual([]);
});

it('a function imports nothing but lib, and never the list of all contracts', () => {
  expect(offences(inside('functions'), (target) => target.startsWith('lib/'))).toEqual([]);
  const listing = functions.map(sourceOf).filter((path) => reachable(path).has('lib/routes.ts'));
  expect(listing).toEqual([]);
});

it('only infra/aws and its tests know CDK, and nobody else knows them', () => {
  const others = modules.filter(({ path }) => !/^(infra\/aws|test\/infra)\//.test(path));
  const cloud = /^(aws-cdk-lib|constructs|cdk-nag|infra\/aws\/.*|test\/infra\/.*)$/;
  expect(offences(others, (target) => !cloud.test(target))).toEqual([]);
});

it('the cloud is no matter of the local instance, nor the other way round', () => {
  expect(offences(inside('infra/aws'), (target) => !target.startsWith('infra/local/'))).toEqual([]);
});

it('nothing in functions or lib reads a whole table', () => {
  const scanning = inside('functions', 'lib').filter(({ text }) =>
    /\bScanCommand|\bpaginateScan|\.scan\(|PartiQL|ExecuteStatement/.test(text),
  );
  expect(scanning.map(({ path }) => path)).toEqual([]);
});

it('no module imports itself, however long the way', () => {
  expect(modules.map(({ path }) => path).filter((path) => reachable(path).has(path))).toEqual([]);
});

it('no file is longer than 300 lines', () => {
  expect(modules.filter(({ lines }) => lines > 300).map(({ path, lines }) => `${path}: ${lines}`)).toEqual(
    [],
  );
});

describe('functions/', () => {
  it('holds the source of every definition and nothing else', () => {
    expect(
      inside('functions')
        .map(({ path }) => path)
        .sort(),
    ).toEqual(functions.map(sourceOf).sort());
  });

  it('holds sentences of 10 to 25 lines', () => {
    const others = inside('functions').filter(({ lines }) => lines < 10 || lines > 25);
    expect(others.map(({ path, lines }) => `${path}: ${lines}`)).toEqual([]);
  });
});
