import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { markdownToHtml } from '#lib/system/markdown';
import { UNREACHABLE } from '../../infra/bundle/unreachable.ts';
import { ROOT } from '../../infra/bundle.ts';
import { bundled } from './bundled.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

/** The renderer as it is in the bundle, and the expressions that it has read, of those that are read on use. */
async function start() {
  const read: string[] = [];
  class Counted extends RegExp {
    constructor(source: string, flags?: string) {
      super(source, flags);
      if (source.startsWith('^') && source.includes('\\p{')) read.push(source);
    }
  }
  vi.stubGlobal('RegExp', Counted);
  const { markdownToHtml: render } = await bundled<{ markdownToHtml: (markdown: string) => string }>(
    `export { markdownToHtml } from '#lib/system/markdown';`,
    UNREACHABLE.filter(({ module }) => module.startsWith('marked/')),
  );
  return { render, read };
}

test('a start reads none of them, and a text those that it has use for', async () => {
  const { render, read } = await start();
  const readBy = (text: string) => {
    const before = read.length;
    render(text);
    return read.length - before;
  };
  expect(read).toHaveLength(0);
  expect({
    prose: readBy(
      '# A title\n\nA text, with `code`, [a link](https://example.com) and 2 - 3.\n\n| a |\n| - |\n| b |\n',
    ),
    asterisks: readBy('**bold** and *italic*'),
    underscores: readBy('__bold__ and _italic_'),
    tildes: readBy('~~struck~~'),
    all: readBy('**b** *i* __b__ _i_ ~~s~~ ~s~'),
  }).toEqual({ prose: 1, asterisks: 2, underscores: 1, tildes: 2, all: 0 });
});

/** Runs of delimiters beside all that decides what they are: letters, spaces, punctuation and symbols. */
const runs = ['*', '**', '***', '_', '__', '___', '~', '~~', '~~~'].flatMap((run) =>
  ['a', ' ', '.', '„', '€', '字', '*', '_', '\n'].flatMap((before) =>
    ['b', ' ', '!', '“', '＄', '～'].map(
      (after) => `x${before}${run}b c${after}${run} d ${run}e${run}${before}`,
    ),
  ),
);

const pages = ['lib', 'infra', 'test'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md') && !path.includes('node_modules'))
    .map((path) => readFileSync(join(ROOT, folder, path), 'utf8')),
);

test('a text is rendered as marked renders it', async () => {
  const { render } = await start();
  expect(runs).toHaveLength(486);
  expect(pages.length).toBeGreaterThan(10);
  for (const text of [...runs, ...pages]) expect(render(text)).toBe(markdownToHtml(text));
});
