import { expect, it } from 'vitest';
import { functions, sourceOf } from '#lib/routes';
import { readSources, type SourceFile } from '../../infra/sources.ts';
import { GROUND, LIB } from './modules.ts';

const sources = readSources();

/** The modules of the local instance, below the files that start it. */
const LOCAL = ['machine', 'issuer', 'services'];

const isFile = (target: string) => target.endsWith('.ts');
const inside = (...folders: string[]) =>
  sources.filter(({ path }) => folders.some((folder) => path.startsWith(`${folder}/`)));

/** Every import of these files that is not allowed, as `<importer> -> <target>`. */
const offences = (importers: readonly SourceFile[], allowed: (target: string, importer: string) => boolean) =>
  importers.flatMap(({ path, imports }) =>
    imports.filter(({ target }) => !allowed(target, path)).map(({ target }) => `${path} -> ${target}`),
  );

/** All files of the repository that a bundle of this one contains. */
function reachable(path: string, found = new Set<string>()): ReadonlySet<string> {
  for (const { target, typeOnly } of sources.find((source) => source.path === path)?.imports ?? []) {
    if (typeOnly || found.has(target)) continue;
    found.add(target);
    reachable(target, found);
  }
  return found;
}

/** Module of a file within a folder. */
const moduleIn = (folder: string, path: string) => path.slice(folder.length + 1).split('/')[0] ?? '';

/** Imports of a folder that lead from a module to a higher one; types count as well. */
const upward = (folder: string, modules: readonly string[]) =>
  offences(inside(folder), (target, importer) => {
    if (!target.startsWith(`${folder}/`)) return true;
    const [from, to] = [
      modules.indexOf(moduleIn(folder, importer)),
      modules.indexOf(moduleIn(folder, target)),
    ];
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
    !isFile(target) || BELOW[top(importer)]?.includes(top(target)) === true;
  expect(offences(sources, isBelow)).toEqual([]);
});

it('imports run one way, from each module of lib to those below it', () => {
  const known = [...GROUND, ...LIB];
  expect([...new Set(inside('lib').map(({ path }) => moduleIn('lib', path)))].sort()).toEqual(known.sort());
  const isGround = (path: string) => GROUND.includes(moduleIn('lib', path));
  const ground = inside('lib').filter(({ path }) => isGround(path));
  expect(offences(ground, (target) => !target.startsWith('lib/') || isGround(target))).toEqual([]);
  expect(upward('lib', ['', ...LIB])).toEqual([]);
});

/** The arrows that are left after those to an end are taken away, again and again: the circles, and what leads to them. */
function circular(arrows: readonly (readonly [string, string])[]): typeof arrows {
  const left = arrows.filter(([, to]) => arrows.some(([from]) => from === to));
  return left.length < arrows.length ? circular(left) : left;
}

it('no modules of infra import each other in a circle; types count as well', () => {
  const arrows = inside('infra').flatMap(({ path, imports }) =>
    imports
      .filter(({ target }) => target.startsWith('infra/'))
      .map(({ target }) => [moduleIn('infra', path), moduleIn('infra', target)] as const),
  );
  const between = arrows.filter(([from, to]) => from !== to);
  expect(between.length).toBeGreaterThan(50);
  expect(circular(between).map((arrow) => arrow.join(' -> '))).toEqual([]);
});

it('imports run one way, from each module of the local instance to those below it', () => {
  const starting = inside('infra/local').map(({ path }) => moduleIn('infra/local', path));
  const modules = [...LOCAL, ...starting.filter(isFile)];
  const between = upward('infra/local', modules).filter(
    (offence) => !/^infra\/local\/[^/]+ ->/.test(offence),
  );
  expect(between).toEqual([]);
});

it('a service of the local instance imports no other service, except the gateway Lambda', () => {
  const folder = 'infra/local/services';
  const between = offences(inside(folder), (target, importer) => {
    const [from, to] = [moduleIn(folder, importer), moduleIn(folder, target)];
    return !target.startsWith(`${folder}/`) || to === from || (from === 'gateway' && to === 'lambda');
  });
  expect(between).toEqual([]);
});

it('a function imports only lib, except the list of all contracts', () => {
  expect(offences(inside('functions'), (target) => target.startsWith('lib/'))).toEqual([]);
  const listing = functions.map(sourceOf).filter((path) => reachable(path).has('lib/endpoints.ts'));
  expect(listing).toEqual([]);
});

it('the issuers for trying are in the local instance and tests only', () => {
  const isIssuer = (target: string) => target.startsWith('infra/local/issuer/');
  const importing = sources.filter(({ imports }) => imports.some(({ target }) => isIssuer(target)));
  const others = importing.map(({ path }) => path).filter((path) => !/^(infra\/local|test)\//.test(path));
  expect(importing.map(({ path }) => path)).toContain('infra/local/start-instance.ts');
  expect(others).toEqual([]);
  const reached = sources.filter(({ path }) => /^(functions|infra\/aws)\//.test(path));
  expect(reached.filter(({ path }) => [...reachable(path)].some(isIssuer)).map(({ path }) => path)).toEqual(
    [],
  );
});

it('the client imports no code from other modules, only types', () => {
  const others = [...reachable('lib/client/index.ts')].filter((path) => !path.startsWith('lib/client/'));
  expect(others).toEqual([]);
});

it("the administrator's page imports code only from itself, the client, maxima and rules that it shares with commands", () => {
  const allowed =
    /^infra\/admin-page\/|^lib\/client\/|^lib\/(account\/(file(\/\w+)?|maxima|new-fields)|async\/in-parallel|audit\/starts|failure\/(codes|failure)|input\/(exact-json|parse)|item\/(erasure|token)|outbox\/set-aside|password\/length|session\/session-id|text\/(control-characters|csv|fold-case|search-forms|trimmed|workbook)|passkey\/name|(passkey|token|trust)\/maxima|time)\.ts$|^(preact|@preact\/signals|zod|csv-parse)$/;
  const importing = inside('infra/admin-page').map(({ imports, ...source }) => ({
    ...source,
    imports: imports.filter(({ typeOnly }) => !typeOnly),
  }));
  expect(offences(importing, (target) => allowed.test(target))).toEqual([]);
});

it("a screen of the administrator's page imports no other screen", () => {
  const folder = 'infra/admin-page/screens';
  const between = offences(
    inside(folder).filter(({ path }) => !/\/(index|others)\.ts$/.test(path)),
    (target, importer) =>
      !target.startsWith(`${folder}/`) ||
      // The script of all screens but the first.
      target === `${folder}/others.ts` ||
      (moduleIn(folder, target) === moduleIn(folder, importer) && !isFile(moduleIn(folder, target))),
  );
  expect(between).toEqual([]);
});

it("only its entry and its screens know the screens of the administrator's page", () => {
  const parts = inside('infra/admin-page').filter(({ path }) => !/\/(screens\/.*|app\.tsx)$/.test(path));
  expect(offences(parts, (target) => !target.startsWith('infra/admin-page/screens/'))).toEqual([]);
});

it('only infra/aws, the options of stages and their tests import CDK, and no other module imports them', () => {
  // The trial of the alarms runs the service and reads the template, those of the authorizers run their bundles.
  const knowing =
    /^(infra\/aws\/|infra\/stages\/options\.ts|test\/infra\/|test\/stack\/|test\/integration\/(incidents\.local|authorizer-))/;
  const others = sources.filter(({ path }) => !knowing.test(path));
  // The function of the authorizer imports no CDK.
  const cloud = /^(aws-cdk-lib|constructs|cdk-nag|infra\/aws\/(?!authorizer\/function).*|test\/infra\/.*)$/;
  expect(offences(others, (target) => !cloud.test(target))).toEqual([]);
});

it('infra/aws imports nothing from the local instance', () => {
  expect(offences(inside('infra/aws'), (target) => !target.startsWith('infra/local/'))).toEqual([]);
});

it('only the job of erasures reads a whole table, and only the attributes that name accounts', () => {
  const scanning = inside('functions', 'lib').filter(({ text }) =>
    /\bScanCommand|\bpaginateScan|\.scan\(|PartiQL|ExecuteStatement/.test(text),
  );
  expect(scanning.map(({ path }) => path)).toEqual(['lib/table/scan.ts']);
  const reading = functions.map(sourceOf).filter((path) => reachable(path).has('lib/table/scan.ts'));
  expect(reading).toEqual(['functions/account/complete-erasures.ts']);
});
