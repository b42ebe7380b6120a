import { expect, test } from 'vitest';
import { drawFor, drawForFile, newName } from '../names.ts';

const BEFORE = newName('file');
const draw = () => [newName('user'), newName('user')];

test('newName returns another name for each draw, test and prefix', () => {
  const names = [BEFORE, ...draw(), newName('team')];
  drawFor('another test');
  expect(new Set([...names, ...draw()]).size).toBe(6);
  expect(names[1]).toMatch(/^user-[0-9a-f]{10}$/);
});

test('newName returns the same names of a test in any order of the tests', () => {
  const drawn = (...titles: string[]) => {
    drawForFile();
    return titles.map((title) => {
      drawFor(title);
      return draw();
    });
  };
  expect(drawn('one', 'other')).toEqual(drawn('other', 'one').reverse());
});
