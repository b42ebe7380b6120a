import NAUGHTY from 'big-list-of-naughty-strings/blns.json' with { type: 'json' };
import { expect, test } from 'vitest';
import { sanitiseHtml } from '#lib/system/html-allow-list';
import { markdownToHtml } from '#lib/system/markdown';
import { dangers } from './html-reader.ts';
import { attacksIn, CONTEXTS } from './xss-contexts.ts';

test('the attacks are tried in more than ten thousand ways', () => {
  expect(CONTEXTS.flatMap(attacksIn).length).toBeGreaterThan(10_000);
});

test.each(CONTEXTS)('nothing dangerous survives when each attack is in %j', (context) => {
  for (const attack of attacksIn(context))
    for (const html of [attack, markdownToHtml(attack)]) {
      const written = sanitiseHtml(html);
      expect([attack, dangers(written)]).toEqual([attack, []]);
      expect([attack, dangers(sanitiseHtml(written))]).toEqual([attack, []]);
    }
});

test('nothing dangerous survives in a naughty string', () => {
  for (const text of NAUGHTY)
    for (const html of [text, markdownToHtml(text)])
      expect([text, dangers(sanitiseHtml(html))]).toEqual([text, []]);
});
