import { expect, test } from 'vitest';
import { readLines } from '#infra/admin-page/import/file';
import type { Format } from '#lib/account/file';
import { rejectedLine, rejectsHead } from '#lib/account/file/rejects';

const errors = [
  { field: 'teams.0', message: 'Must "be"' },
  { field: '', message: 'Is wrong' },
];

/** All lines of a file, rejected with the same faults. */
async function reject(format: Format, text: string) {
  let file = '';
  for await (const line of readLines(`x.${format}`, Buffer.from(text)))
    file += (file === '' ? rejectsHead(line) : '') + rejectedLine({ ...line, errors });
  return file;
}

const CELL = '"teams.0: Must ""be""; Is wrong"';
const FAULTS = String.raw`"fault":"teams.0: Must \"be\"; Is wrong"`;

test.each<[Format, string, string]>([
  [
    'csv',
    'username,password\r\nx,"\'=1"\r\n"y\nz", \r\n',
    `\ufefffault,username,password\n${CELL},x,"'=1"\n${CELL},"y\nz", \n`,
  ],
  ['csv', 'sep=;\nusername;roles\nx;a,b', `\ufefffault;username;roles\n${CELL};x;a,b\n`],
  ['csv', 'username\troles\nx\t"open', `\ufefffault\tusername\troles\n${CELL}\tx\t"open\n`],
  [
    'jsonl',
    '{"username":"x","n":12345678901234567890}\n\n { }\n[1]\n',
    `{${FAULTS},"username":"x","n":12345678901234567890}\n{${FAULTS}}\n{${FAULTS},"line":"[1]"}\n`,
  ],
])(
  'rejected lines of %s %j stay as they are, behind their faults, however often',
  async (format, text, expected) => {
    expect(await reject(format, text)).toBe(expected);
    if (text.includes('[1]')) return;
    expect(await reject(format, expected)).toBe(expected);
  },
);

test('faults that a spreadsheet saved without quotes are replaced', async () => {
  expect(await reject('csv', 'fault;username\nan old one;x')).toBe(`\ufefffault;username\n${CELL};x\n`);
});
