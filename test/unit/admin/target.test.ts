import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { dataDirectory, runningInstance } from '../../../infra/admin/target.ts';
import { rememberStarted, startedDirectories } from '../../../infra/local/started.ts';
import { newFolder } from '../support/folder.ts';

let root: string;
let file: string;
beforeEach(() => {
  root = newFolder();
  file = join(root, 'started.json');
});

/** A process that does not exist. */
const GONE = 2 ** 22 + 1;

/** Starts an instance as `npm start` records it; one that was killed leaves its file. */
function start(name: string, end?: 'stopped' | 'killed'): string {
  const data = join(root, name);
  mkdirSync(data, { recursive: true });
  const text = JSON.stringify({ url: `http://${name}`, pid: end === 'killed' ? GONE : process.pid });
  if (end !== 'stopped') writeFileSync(join(data, 'instance.json'), text);
  rememberStarted(data, file);
  return data;
}

test('a start is recorded in one step, the latest first and once, while its directory exists', () => {
  const [first, second = '', third] = ['first', 'second', 'third', 'first'].map((name) => start(name));
  expect(startedDirectories(file)).toEqual([first, third, second]);
  expect(readdirSync(root).toSorted()).toEqual(['first', 'second', 'started.json', 'third']);
  rmSync(second, { recursive: true });
  expect([start('third'), ...startedDirectories(file)]).toEqual([third, third, first]);
});

test('no start is known when the record is damaged or cannot be written', () => {
  writeFileSync(file, '["first');
  expect(startedDirectories(file)).toEqual([]);
  expect(() => rememberStarted(root, join(root, 'none', 'started.json'))).not.toThrow();
});

test('a command works on the instance that was started last, unless it names another', () => {
  const [first, second] = [start('first'), start('second')];
  expect(dataDirectory(undefined, startedDirectories(file))).toBe(second);
  expect(dataDirectory(first, startedDirectories(file))).toBe(first);
  expect(dataDirectory(undefined, [])).toBe('.local');
  expect(runningInstance(second, startedDirectories(file)).url).toBe('http://second');
});

test.each(['stopped', 'killed'] as const)(
  'a command lists the instances that run when its own was %s',
  (end) => {
    const [first, second] = [start('first'), start('second', end)];
    const none = `No local instance runs on ${second}. `;
    expect(() => runningInstance(second, startedDirectories(file))).toThrow(
      `${none}Running: http://first (--data ${first})`,
    );
    expect(() => runningInstance(second, [second])).toThrow(`${none}Start one`);
  },
);
