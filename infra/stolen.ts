import { EACH, REMEDIES, type Remedy, SECTIONS, type Section, type Step, stepsOf } from './remedies.ts';

/** The page for those on call, which is generated from the remedies. */
export const STOLEN_PAGE = 'infra/admin/stolen.md';

const OWNER_THERE =
  'Or, if the owner is there: [a code](incidents.md#an-administrator-has-neither-passkey-nor-password)';

/** The page that has the block of a stolen thing. */
export const pageOf = ({ page = STOLEN_PAGE }: Section) => page;

/** Where the block of a stolen thing is, in the words of commands. */
export const placeOf = (section: keyof typeof SECTIONS) =>
  `${pageOf(SECTIONS[section])}, "${SECTIONS[section].heading}"`;

/** The sections of a page, by their names. */
const sectionsOf = (page: string) =>
  Object.entries<Section>(SECTIONS).filter(([, section]) => pageOf(section) === page);

/** Characters of a line of a comment. */
const WIDTH = 100;

/** A comment of a block, in lines that a terminal shows whole. */
const comment = (text: string): string[] =>
  text.match(new RegExp(`.{1,${WIDTH}}(?= |$)`, 'g'))?.map((line) => `# ${line.trim()}`) ?? [];

/** The comment before commands that are repeated. */
export const repeated = (each: NonNullable<Step['each']>) => `For ${EACH[each]}:`;

/** The comment in place of the commands of another block. */
export const referring = (heading: string) =>
  `Then all of "${heading}", for each account that the list names.`;

function linesOf(steps: Remedy['steps']): string[] {
  return steps.flatMap((step, n) => {
    if ('like' in step) return comment(referring(SECTIONS[step.like].heading));
    const before = step.each ? comment(repeated(step.each)) : n > 0 ? comment('Then:') : [];
    return [...before, ...step.commands.map((command) => `admin ${command}`)];
  });
}

const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w ]/g, '')
    .replaceAll(' ', '-');
const within = (text: string) => `${text.charAt(0).toLowerCase()}${text.slice(1)}`;

/** What is noticed, and the heading of its block, of a page. */
export const noticedTable = (page: string) =>
  [
    ['Noticed', 'Enter'],
    sectionsOf(page).map(([, { heading, noticed }]) => [noticed, `[${heading}](#${anchorOf(heading)})`]),
  ] as const;

/** What one property of the rows of a section says; a row is named where there are several. */
const sentences = (word: string, rows: readonly Remedy[], of: 'first' | 'remains') =>
  rows.flatMap(({ stolen, [of]: text }) =>
    text ? [`${word}${rows.length > 1 ? ` (${stolen})` : ''}: ${within(text)}.`] : [],
  );

/** The heading, texts and block of a section. @throws Error if its rows have different commands */
function section(rows: readonly Remedy[], heading: string): string {
  const [row, ...others] = rows as [Remedy, ...Remedy[]];
  if (others.some((other) => JSON.stringify(stepsOf(other)) !== JSON.stringify(stepsOf(row))))
    throw new Error(`The things of "${heading}" have different remedies`);
  const or = row.or ? [`${OWNER_THERE}.`] : [];
  const texts = [...sentences('First', rows, 'first'), ...or, ...sentences('Remains', rows, 'remains')];
  const before = texts.length > 0 ? [texts.join(' ')] : [];
  return [`## ${heading}`, '', ...before, '```sh', ...linesOf(row.steps), '```'].join('\n');
}

/** The sections of the generated page. */
export const stolenSections = () =>
  sectionsOf(STOLEN_PAGE)
    .map(([name, { heading }]) =>
      section(
        Object.values<Remedy>(REMEDIES).filter((row) => row.section === name),
        heading,
      ),
    )
    .join('\n\n');
