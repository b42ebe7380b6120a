import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { recordsOf } from '#infra/admin/import/source';
import { formatOf } from '#lib/account/file';
import { isUsername } from '#lib/account/identifiers';
import { cellText, csvLine } from '#lib/text/csv';
import { DESTROYED, isDestroyed } from '#lib/text/destroyed';
import { workbook } from '#lib/text/workbook';
import { CONVERTED } from '../support/converted.ts';
import { newFolder } from '../support/folder.ts';

const folder = newFolder();

const soffice = (...args: string[]) => {
  const profile = `-env:UserInstallation=file://${folder}/profile`;
  return spawnSync('soffice', [profile, '--headless', ...args], { timeout: 120_000, encoding: 'utf8' });
};
const installed = spawnSync('soffice', ['--version'], { timeout: 60_000 }).status === 0;

/** Tokens of LibreOffice's filter for CSV: comma, quotation mark, UTF-8, first line, no formats, language, numbers are detected. */
const csvIn = (language: number) => `--infilter=CSV:44,34,76,1,,${language},false,true`;

/** Opens a file in LibreOffice, and saves it. */
function saved(name: string, ending: 'csv' | 'xlsx', language: number) {
  const outdir = join(folder, `${language}-${ending}`);
  const to = ending === 'csv' ? 'csv:Text - txt - csv (StarCalc):44,34,76,1' : 'xlsx';
  const from = name.endsWith('.csv') ? [csvIn(language)] : [];
  const { stdout, stderr } = soffice(...from, '--convert-to', to, '--outdir', outdir, join(folder, name));
  expect(stdout, stderr).toContain('convert');
  return join(outdir, name.replace(/\w+$/, ending));
}

const TEXTS = [
  ...CONVERTED.filter((text) => !isDestroyed(text)),
  "'t Hooft",
  "'=1",
  '+39 06 555',
  '=1+1',
  '@A',
  '-',
  'x;=1',
  'a"b',
  "''1",
  'Ada',
  'a, b',
];
const PEOPLE = TEXTS.map((text, index) => ({
  username: isUsername(text) ? text : `user${index}`,
  phonenumber: text,
  user_last_name: text,
  lockoutenabled: index % 2 === 0,
  roles: ['2024', '1E5', 'r'].slice(index % 3),
}));

const rows = PEOPLE.map(({ roles, ...person }) => ({ ...person, roles: roles.join(' ') }));
const head = Object.keys(rows[0] as object);

async function valuesIn(path: string) {
  const values: unknown[] = [];
  for await (const { value, errors } of recordsOf(path, formatOf(path))) values.push(errors ?? value);
  return values;
}

const skipped = installed
  ? ''
  : ' (skipped: LibreOffice is not installed, see "apt-get install libreoffice-calc-nogui")';

test.skipIf(!installed).each([
  ['English', 1033],
  ['German', 1031],
  ['French', 1036],
  ['Spanish', 3082],
  ['Japanese', 1041],
])(
  `CSV of this service keeps all values when LibreOffice opens and saves it in %s${skipped}`,
  async (_, language) => {
    const name = `own-${language}.csv`;
    writeFileSync(
      join(folder, name),
      `\ufeff${[head, ...rows.map((row) => Object.values(row))].map((row) => csvLine(row)).join('')}`,
    );
    expect(await valuesIn(join(folder, name))).toEqual(PEOPLE);
    const path = saved(name, 'csv', language);
    // It has saved what it has read, not the file as it was.
    expect(readFileSync(path, 'utf8')).not.toBe(readFileSync(join(folder, name), 'utf8'));
    expect(await valuesIn(path)).toEqual(PEOPLE);
  },
);

test.skipIf(!installed)(
  `a workbook of this service keeps all values when LibreOffice opens and saves it${skipped}`,
  async () => {
    const cells = [head, ...rows.map((row) => Object.values(row).map(cellText))];
    const bytes = await new Response(workbook(cells, head.length)).arrayBuffer();
    writeFileSync(join(folder, 'own.xlsx'), new Uint8Array(bytes));
    const path = saved('own.xlsx', 'xlsx', 1033);
    expect(readFileSync(path)).not.toEqual(Buffer.from(bytes));
    expect(await valuesIn(path)).toEqual(PEOPLE);
  },
);

test.skipIf(!installed)(
  `a workbook of LibreOffice has what a person has entered there${skipped}`,
  async () => {
    const text =
      'username,phonenumber,user_first_name,user_last_name,lockoutenabled\nada,=1/0,Ada,1/2/2024,true\nbob,42,"B\no,b",b,false\n';
    writeFileSync(join(folder, 'entered.csv'), text);
    const error = { field: 'phonenumber', message: DESTROYED };
    expect(await valuesIn(saved('entered.csv', 'xlsx', 1033))).toEqual([
      [error],
      {
        username: 'bob',
        phonenumber: '42',
        user_first_name: 'B\no,b',
        user_last_name: 'b',
        lockoutenabled: false,
      },
    ]);
  },
);

test.skipIf(!installed)(`LibreOffice converts the same values without guards${skipped}`, async () => {
  const cells = TEXTS.map((text) => `x,"${text.replaceAll('"', '""')}"\n`);
  writeFileSync(join(folder, 'bare.csv'), `username,phonenumber\n${cells.join('')}`);
  const values = await valuesIn(saved('bare.csv', 'csv', 1033));
  const kept = values.filter((value, index) =>
    isDeepStrictEqual(value, { username: 'x', phonenumber: TEXTS[index] }),
  );
  expect(TEXTS.length - kept.length).toBeGreaterThan(20);
});
