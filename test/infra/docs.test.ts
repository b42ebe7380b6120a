import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { functions, routes } from '#lib/routes';
import { PAGES, PARTS, withGeneratedParts } from '../../infra/docs.ts';
import { functionsTable } from '../../infra/functions.ts';
import { STALE } from '../stale.ts';
// One table counts what the bundles read.
import './built.ts';
import { GROUND, LIB } from './modules.ts';

/** Maximum number of lines of a page, 120 by default. The changelog grows with each version. */
const MAX_LINES: Readonly<Record<string, number>> = {
  'README.md': 220,
  'CHANGELOG.md': Number.POSITIVE_INFINITY,
};

/** The anchors of a page, as GitHub derives them from headings. */
const anchorsOf = (text: string) =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );

test('the tree of the README has every module, and those of lib in the order of their imports', () => {
  const [, lib, infra] = /^lib\/(.*)^infra\/(.*)^test\//ms.exec(readFileSync('README.md', 'utf8')) ?? [];
  const modulesIn = (part?: string) => [...(part ?? '').matchAll(/ {2}([\w-]+)\/ /g)].map(([, name]) => name);
  expect(modulesIn(lib)).toEqual([...GROUND, ...LIB].filter((name) => !name.endsWith('.ts')).reverse());
  const folders = readdirSync('infra', { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(modulesIn(infra).sort()).toEqual(folders.map(({ name }) => name).sort());
});

test('each function has a rule, and tests of it', () => {
  const [, rows] = functionsTable();
  expect(rows.length).toBe(functions.length);
  expect(rows.filter(([, , rule, tests]) => !rule || !tests).map(([name]) => name)).toEqual([]);
});

test('each generated part has its place', () => {
  const text = PAGES.map((page) => readFileSync(page, 'utf8')).join('');
  expect(Object.keys(PARTS).filter((name) => !text.includes(`<!-- ${name} -->\n`))).toEqual([]);
});

describe.each(PAGES)('%s', (page) => {
  const text = readFileSync(page, 'utf8');

  test('has the generated parts of the present code', () => {
    // test/infra/powers.test.ts compares the powers with the stack that it builds.
    expect(text, STALE.docs).toBe(withGeneratedParts(text, 'powers'));
  });

  test('has at most the lines of its limit', () => {
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(MAX_LINES[page] ?? 120);
  });

  test('links to files and headings that exist', () => {
    const broken = [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].filter(
      ([, link = '', anchor]) => {
        const target = link === '' ? page : join(dirname(page), link);
        if (!existsSync(target)) return true;
        return anchor !== undefined && !anchorsOf(readFileSync(target, 'utf8')).includes(anchor);
      },
    );
    expect(broken.map(([all]) => all)).toEqual([]);
  });

  test('names files that exist', () => {
    const files = [...text.matchAll(/`((?:lib|infra|functions|test)\/[\w./-]+\.\w+)`/g)].map(
      ([, file]) => file,
    );
    expect(files.filter((file) => !existsSync(file as string))).toEqual([]);
  });
});

describe('decisions', () => {
  const folder = 'infra/decisions';
  const records = readdirSync(folder).filter((name) => name !== 'README.md');
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');

  test('the index lists each record by its date and title', () => {
    const listed = [...read('README.md').matchAll(/^\| (\S+) \[(.+)\]\((\S+)\) \|/gm)];
    expect(listed.map(([, date, title, name]) => [name, title, date])).toEqual(
      records.sort().map((name) => [name, /^# (.+)\n/.exec(read(name))?.[1], name.slice(0, 10)]),
    );
  });

  test.each(records)('%s has the date of its name and the sections of a record', (name) => {
    expect(read(name).split('\n')[2]).toBe(name.slice(0, 10));
    expect([...read(name).matchAll(/^## (.+)$/gm)].map(([, section]) => section)).toEqual([
      'Context',
      'Decision',
      'Consequences',
    ]);
  });
});

test('the page of HTTP rules names the routes that ignore unknown parameters', () => {
  const text = readFileSync('lib/http/README.md', 'utf8');
  const lenient = routes.filter(({ contract }) => contract.forPeople);
  expect(lenient.map(({ path }) => path).filter((path) => !text.includes(`\`${path}\``))).toEqual([]);
});
