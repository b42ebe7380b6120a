import recorded from './evidence.json' with { type: 'json' };
import { hasRunOnAws } from './first-deployment/tables.ts';
import { TRIGGERS } from './triggers.ts';

/** What a run of `npm run test:stack -- --evidence` has shown of the stack. */
export interface Evidence {
  readonly date: string;
  readonly commit: string;
  /** Whether the working tree had changes. */
  readonly isDirty: boolean;
  readonly emulator: string;
  readonly seconds: number;
  /** Number of tests, which all have passed. */
  readonly tests: number;
  /** Number of resources by type. */
  readonly resources: Readonly<Record<string, { readonly created: number; readonly leftOut: number }>>;
  /** Number of times that each of {@link TRIGGERS} was seen, by name. */
  readonly triggers: Readonly<Record<string, number>>;
  readonly functions: Readonly<Record<string, FunctionEvidence>>;
  readonly commands: Readonly<Record<string, ExitStatuses>>;
}

/**
 * The exit statuses of an operator command in all of its runs, ascending; none if it did not run. Earlier recordings have
 * the lowest one only, or null.
 */
type ExitStatuses = readonly number[] | number | null;

interface FunctionEvidence {
  readonly hasRun: boolean;
  /** Number of calls of AWS. */
  readonly calls: number;
  /** Number of grants, and of those that a call has needed. */
  readonly granted: number;
  readonly seen: number;
  /** The other grants, those of single attributes together: `UpdateItem:ACCOUNT (roles, stamp)`. */
  readonly unseen: readonly string[];
}

export const evidence: Evidence = recorded;

const { resources, triggers, functions, commands, emulator } = evidence;

type Table = readonly [head: readonly string[], rows: readonly (readonly string[])[]];

const code = (texts: readonly string[]) => texts.map((text) => `\`${text}\``).join(', ');
const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

const created = sum(Object.values(resources).map((one) => one.created));
const synthesized = created + sum(Object.values(resources).map(({ leftOut }) => leftOut));
const ran = Object.values(functions).filter(({ hasRun }) => hasRun).length;
const all = Object.values(functions).length;
const granted = sum(Object.values(functions).map((one) => one.granted));
const seen = sum(Object.values(functions).map((one) => one.seen));

/** Why a command fails in the run. */
export const WHY_FAILED: Readonly<Record<string, string>> = {
  'account create': 'refused on purpose once: a stack that adopts a table has another erasure key at first',
  doctor: 'the emulator lacks what it checks',
  'restore check': 'the same, and `--mend` adds only a part of it',
};

const hasRun = (statuses: ExitStatuses) => statuses !== null && [statuses].flat().length > 0;
export const hasFailed = (statuses: ExitStatuses) => [statuses ?? []].flat().some((status) => status !== 0);

function shownBy(statuses: ExitStatuses): string {
  if (!hasRun(statuses)) return 'no run';
  if (!Array.isArray(statuses)) return `exit status ${statuses} at best`;
  return `exit status ${statuses.join(' and ')}${statuses.length === 1 ? ' only' : ''}`;
}

/** What it names within lines of pages. */
export const EVIDENCE_FIGURES = {
  emulator,
  'created-resources': `${created} of ${synthesized}`,
  'seen-grants': `${seen} of ${granted}`,
};

/** The run: when, of what, on what. */
export const runText = () =>
  [
    `Run of ${evidence.date}, at commit \`${evidence.commit.slice(0, 12)}\`${evidence.isDirty ? ' with uncommitted changes' : ''}:`,
    `all ${evidence.tests} tests passed on ${emulator} in ${Math.ceil(evidence.seconds / 60)} minutes.`,
  ].join(' ');

/** What else has shown that resources of a type work, in each run of `.ci/run`. */
const ALSO: Readonly<Record<string, string>> = {
  'AWS::DynamoDB::GlobalTable': 'engine, DynamoDB Local',
  'AWS::IAM::ManagedPolicy': 'engine',
  'AWS::IAM::Role': 'engine',
  'AWS::Lambda::Function': 'engine, runtime client',
};

/** Each type of resource, by what it has been shown. */
export const resourcesTable = (): Table => [
  ['Type', 'Created by the emulator', 'Only from documentation', 'Also'],
  Object.entries(resources).map(([type, one]) => [
    `\`${type}\``,
    one.created > 0 ? `${one.created}` : '',
    one.leftOut > 0 ? `${one.leftOut}` : '',
    ALSO[type] ?? '',
  ]),
];

/** Each trigger, by what it has been shown. */
export const triggersTable = (): Table => [
  ['Trigger', 'Seen', 'Also', 'Difference'],
  TRIGGERS.map(({ name, what, also = '', note = '' }) => {
    const times = triggers[name] ?? 0;
    return [what, times > 0 ? `${times}` : also === '' ? 'only documentation' : 'no', also, note];
  }),
];

/** The functions that have grants which no call has needed, with these grants. */
export const grantsTable = (): Table => [
  ['Function', 'Seen', 'Not seen'],
  Object.entries(functions)
    .filter(([, { unseen }]) => unseen.length > 0)
    .map(([id, one]) => [`\`${id}\``, `${one.seen} of ${one.granted}`, code(one.unseen)]),
];

/** Operator commands, by the exit statuses of all of their runs, and why some have failed. */
export function commandsTable(all: Evidence['commands'] = commands): Table {
  const nameOf = ([words, statuses]: readonly [string, ExitStatuses]) =>
    hasFailed(statuses) ? `\`${words}\` (${WHY_FAILED[words]})` : `\`${words}\``;
  const rows = Map.groupBy(Object.entries(all), ([, statuses]) => shownBy(statuses));
  return [
    ['On the stack', 'Commands'],
    [...rows]
      .sort(([one], [other]) => one.localeCompare(other))
      .map(([shown, some]) => [shown, some.map(nameOf).join(', ')]),
  ];
}

/** The parts of the service, by what they have run on. */
export const partsTable = (): Table => [
  ['Part', 'Has run on', 'Has not run on'],
  [
    [
      'Functions and endpoints',
      `the local instance (Dynoxide, an engine with the API of DynamoDB), ${emulator} (${ran} of ${all})`,
      hasRunOnAws('service') ? '' : 'AWS',
    ],
    [
      'Operator commands',
      `the local instance, ${emulator} (${Object.values(commands).filter(hasRun).length} of ${Object.keys(commands).length})`,
      hasRunOnAws('commands') ? '' : 'AWS',
    ],
    [
      '`test/integration/accounts.test.ts`, in each run of `.ci/run`',
      "DynamoDB Local, AWS's own engine",
      hasRunOnAws('service') ? '' : 'DynamoDB',
    ],
    [
      'Bundles',
      `AWS's runtime interface client (\`test/runtime\`), Node.js alone (${emulator})`,
      hasRunOnAws('service') ? '' : 'Lambda',
    ],
    [
      'Template',
      `cfn-lint, cdk-nag, CDK's assertions, ${emulator} (${created} of ${synthesized} resources)`,
      hasRunOnAws('template') ? '' : 'CloudFormation',
    ],
    [
      'Grants',
      `\`infra/policy.ts\`, from the documentation of IAM: on the engine, and on ${emulator} (${seen} of ${granted})`,
      hasRunOnAws('grants') ? '' : 'IAM',
    ],
    ['Workflows in `.github`', 'actionlint', 'GitHub'],
  ],
];
