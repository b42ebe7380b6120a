import { readFileSync } from 'node:fs';
import { marked } from 'marked';
import { sanitiseHtml } from '#lib/system/html-allow-list';
import { markdownToHtml } from '#lib/system/markdown';
import { previewOf } from '#lib/system/preview';
import { alternate } from './alternate.ts';
import type { Benchmark } from './report.ts';

const CHARACTERS = 10_000;

/** Renders the first 10,000 characters of the README by `marked` alone, by its parts here, and as the endpoint does. */
export const preview: Benchmark = async ({ rounds }) => {
  const text = readFileSync('README.md', 'utf8').slice(0, CHARACTERS);
  const html = markdownToHtml(text);
  const micros = alternate(
    {
      'marked alone': () => marked.parse(text),
      'marked with limits': () => markdownToHtml(text),
      'sanitising its HTML': () => sanitiseHtml(html),
      'the preview': () => previewOf(text, {}),
    },
    rounds,
    10,
  );
  return {
    title: `A preview of ${CHARACTERS / 1000} kB: the median of ${rounds} alternating rounds, by the CPU time of the thread.`,
    columns: ['   ms', 'marked = 1'],
    rows: Object.entries(micros).map(([label, taken]) => [
      label,
      taken / 1000,
      taken / micros['marked alone'],
    ]),
  };
};
