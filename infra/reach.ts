import reach from './reach.json' with { type: 'json' };

/** What the thief of a thing can reach, as `npm run thief -- --record` has found it. */
export interface Reach {
  /** What the thief then has, with the shortest sequence of steps to it. */
  readonly has: Readonly<Record<string, readonly string[]>>;
  /** The contracts whose requests succeed, by the account that they are about. */
  readonly does: Readonly<Record<string, readonly string[]>>;
}

const ALL: Readonly<Record<string, Reach>> = reach;

/** A step as its contract, its command or its move, without values. */
const shortOf = (step: string) => {
  const [first = ''] = step.split(' ');
  return /^[a-z]+\.[a-z-]+$/.test(first) ? `\`${first}\`` : step;
};

const hasText = ({ has }: Reach) =>
  Object.entries(has)
    .map(([what, steps]) => {
      const name = what.replace(/^has the /, '');
      return steps.length > 0 ? `${name}: ${steps.map(shortOf).join(', ')}` : name;
    })
    .join('<br>');

const doesText = ({ does }: Reach) =>
  Object.entries(does)
    .map(
      ([whom, contracts]) =>
        `${whom}: ${contracts.map((contract) => (contract.startsWith('`') ? contract : `\`${contract}\``)).join(', ')}`,
    )
    .join('<br>');

/** The title of a start without its settings, and these. */
const partsOf = (title: string) => {
  const at = title.lastIndexOf(', `');
  return [title.slice(0, at), title.slice(at + 2)] as const;
};

/** The table of starts: head and rows. Starts with the same powers share a row. */
export function reachTable() {
  const rows = Object.entries(ALL).map(([title, found]) => ({
    title,
    has: hasText(found),
    does: doesText(found),
  }));
  const alike = Map.groupBy(rows, ({ title, has, does }) => JSON.stringify([partsOf(title)[0], has, does]));
  return [
    [
      'Stolen',
      'Settings',
      'The thief then has, by the shortest steps',
      'Requests that succeed, by the account that they are about',
    ],
    [...alike.values()].map((same) => {
      const [{ title, has, does } = { title: '', has: '', does: '' }] = same;
      return [partsOf(title)[0], same.map((one) => partsOf(one.title)[1]).join(', '), has, does];
    }),
  ] as const;
}
