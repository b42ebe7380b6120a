import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { wordsOf } from '#infra/admin/command';
import { COMMANDS } from '#infra/admin/commands';
import { withFigures } from '#infra/openapi/texts/figures';
import { EACH, REMEDIES, type Remedy, SECTIONS, stepsOf } from '../../infra/remedies.ts';
import { pageOf } from '../../infra/stolen.ts';
import { blocksIn, claimsIn, OPERATORS_PAGES } from '../integration/articles.ts';
import { stepsIn, stepsOnPage } from '../integration/remedy.ts';

/** Blocks that no test runs as they stand, by their page and heading, each with the reason. */
const NOT_RUN: Readonly<Record<string, string>> = {
  'infra/aws/README.md: Deploy': 'deploys to AWS; npm run test:stack deploys the same template',
  'infra/aws/operations.md: Upgrade': 'aws cloudformation, which needs AWS',
};

/** Pages whose blocks one run goes through. */
const RUN_AS_A_WHOLE: Readonly<Record<string, string>> = {
  'infra/aws/first-deployment.md': 'needs AWS; npm run test:stack makes the same steps',
};

const TESTS = globSync('test/**/*.test.ts').map((file) => readFileSync(file, 'utf8'));

/** Whether a test reads the block from its page: it names page and heading, or the section of the stolen thing. */
function isRun(page: string, headings: readonly string[]): boolean {
  const reads = TESTS.filter((text) => text.includes('commandsIn(') && text.includes(`'${page}'`));
  if (headings.some((heading) => reads.some((text) => text.includes(`'${heading}'`)))) return true;
  const [section] =
    Object.entries(SECTIONS).find(([, one]) => pageOf(one) === page && headings.includes(one.heading)) ?? [];
  return (
    section !== undefined &&
    TESTS.some((text) => text.includes('stepsOnPage(') && text.includes(`'${section}'`))
  );
}

const blocks = OPERATORS_PAGES.flatMap((page) => blocksIn(page).map((block) => ({ page, ...block })));
const nameOf = ({ page, headings }: (typeof blocks)[number]) => `${page}: ${headings.at(-1)}`;

describe('blocks of commands', () => {
  test('a test runs each of operators’ pages as it stands there, or a reason says why not', () => {
    const left = blocks.filter(
      (block) =>
        !isRun(block.page, block.headings) && !(nameOf(block) in NOT_RUN) && !(block.page in RUN_AS_A_WHOLE),
    );
    expect(left.map(nameOf)).toEqual([]);
  });

  test('each reason has its block, which no test runs', () => {
    const others = blocks.filter(({ page, headings }) => !isRun(page, headings));
    expect(Object.keys(NOT_RUN).filter((name) => !others.some((block) => nameOf(block) === name))).toEqual(
      [],
    );
    expect(
      Object.keys(RUN_AS_A_WHOLE).filter((page) => !others.some((block) => block.page === page)),
    ).toEqual([]);
  });

  test('blocks of a shell are `sh`, so that these tests see them', () => {
    const fences = OPERATORS_PAGES.flatMap((page) =>
      [...readFileSync(page, 'utf8').matchAll(/^ *```(\w+)$/gm)].map(([, name]) => name),
    );
    expect([...new Set(fences)].sort()).toEqual(['json', 'sh']);
  });
});

describe('the pages of stolen things', () => {
  const rows = Object.entries<Remedy>(REMEDIES);

  test.each(rows.filter(([, { section }]) => section))(
    'has the steps of %s, as people read them',
    (_, row) => {
      expect(stepsOnPage(row.section as keyof typeof SECTIONS)).toEqual(stepsOf(row));
    },
  );

  test('has a section for each thing that a remedy ends', () => {
    expect(rows.filter(([, { section, steps }]) => steps.length > 0 && !section)).toEqual([]);
    const used = new Set(rows.map(([, { section }]) => section));
    expect(Object.keys(SECTIONS).filter((name) => !used.has(name as never))).toEqual([]);
  });

  test('a comment that nobody can follow is no step', () => {
    expect(() => stepsIn(['# Do something:', 'admin keys list'])).toThrow(
      'Nobody can enter "# Do something:"',
    );
    const lines = [`# For ${withFigures(EACH.keys)}:`, 'admin keys revoke <kid>'];
    expect(stepsIn(lines)).toEqual([{ each: 'keys', commands: ['keys revoke <kid>'] }]);
  });

  test('no operators’ page answers a theft with other commands in its sentences', () => {
    const claims = OPERATORS_PAGES.flatMap((page) => claimsIn(page).map(({ text }) => `${page}: ${text}`));
    expect(claims).toEqual([]);
  });
});

const OF_ALL = ['--stack', '--region', '--data', '--json', '--csv', '--separator', '--format'];

/** What an operator command in a page has that no command has; undefined if there is nothing. */
function faultOf(text: string): string | undefined {
  const command = COMMANDS.find((one) => `${text} `.startsWith(`${wordsOf(one)} `));
  if (!command) return 'no such command';
  const known = [...(command.options ?? []).map(({ long }) => long), ...OF_ALL];
  return text.match(/--[\w-]+/g)?.find((option) => !known.includes(option));
}

test.each([...OPERATORS_PAGES, 'README.md', 'lib/auth/README.md'])(
  '%s names commands and options that exist',
  (page) => {
    const spans = [...readFileSync(page, 'utf8').matchAll(/`admin ([^`]+)`/g)].map(([, span = '']) => span);
    const lines = blocksIn(page).flatMap(({ lines }) => lines.filter((line) => line.startsWith('admin ')));
    const commands = [
      ...spans,
      ...lines.flatMap((line) => line.split('; ')).map((line) => line.replace('admin ', '')),
    ];
    const faults = commands
      .map((command) => command.replaceAll(/\s+/g, ' '))
      .filter((command) => faultOf(command));
    expect(faults.map((command) => `${command}: ${faultOf(command)}`)).toEqual([]);
  },
);
