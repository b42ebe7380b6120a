import { afterEach, expect, test, vi } from 'vitest';
import { compare, listed, listOf, number } from '../../../infra/admin-page/locale.ts';

afterEach(() => {
  vi.doUnmock('#texts/locale');
  // The next file of the worker imports the module of its language.
  vi.resetModules();
});

async function inGerman() {
  vi.resetModules();
  vi.doMock('#texts/locale', () => import('../../../infra/admin-page/texts/de/locale.ts'));
  return import('../../../infra/admin-page/locale.ts');
}

const NAMES = ['Ada', 'Bo', 'Cem'];

test('numbers and lists have the separators of the language', async () => {
  const german = await inGerman();
  expect([number(1234), listOf(NAMES), listOf(['Ada'])]).toEqual(['1,234', 'Ada, Bo and Cem', 'Ada']);
  expect([german.number(1234), german.listOf(NAMES)]).toEqual(['1.234', 'Ada, Bo und Cem']);
  expect(listed([1, 2, 3])).toEqual([1, ', ', 2, ' and ', 3]);
});

test('texts are sorted as people read them, and numbers in them by their values', () => {
  const texts = ['Zoe', 'Österreich', 'ada', 'Team 10', 'Team 9', 'Omar'];
  expect(texts.toSorted(compare)).toEqual(['ada', 'Omar', 'Österreich', 'Team 9', 'Team 10', 'Zoe']);
});
