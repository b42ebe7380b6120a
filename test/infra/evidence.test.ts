import { expect, test } from 'vitest';
import { functions } from '#lib/routes';
import { wordsOf } from '../../infra/admin/command.ts';
import { COMMANDS } from '../../infra/admin/commands.ts';
import { commandsTable, evidence, hasFailed, WHY_FAILED } from '../../infra/evidence.ts';
import { TRIGGERS } from '../../infra/triggers.ts';
import { ELSEWHERE, RUNS } from '../stack/command-runs.ts';
import { exitStatusesOf } from '../stack/exit-statuses.ts';
import { STALE } from '../stale.ts';
import { synthesize } from './synth.ts';

const { all, of } = synthesize();

test.each<[keyof typeof evidence, readonly string[]]>([
  ['resources', all.map(({ Type }) => Type)],
  ['triggers', TRIGGERS.map(({ name }) => name)],
  ['functions', functions.map(({ id }) => id)],
  ['commands', COMMANDS.filter((command) => !('local' in command)).map(wordsOf)],
])('the evidence names the %s of the stack, and no others', (part, present) => {
  expect(Object.keys(evidence[part]).sort(), STALE.evidence).toEqual([...new Set(present)].sort());
});

test('each operator command has a run on the emulator, or a reason', () => {
  const words = COMMANDS.map(wordsOf);
  const run = words.filter((each) => RUNS.some(([call]) => `${call} `.startsWith(`${each} `)));
  const message = 'Add a run to RUNS, or a reason to ELSEWHERE, in test/stack/command-runs.ts';
  expect([...run, ...Object.keys(ELSEWHERE)].sort(), message).toEqual(words.sort());
});

test('the triggers include each service that invokes a function', () => {
  const invoking = of('AWS::Lambda::Permission').map(({ Properties }) => Properties['Principal']);
  expect(new Set(TRIGGERS.flatMap(({ principal = [] }) => principal))).toEqual(new Set(invoking));
});

test('each operator command that failed in the run has its reason', () => {
  const failed = Object.entries(evidence.commands).filter(([, statuses]) => hasFailed(statuses));
  const message = 'Mend the run, or add why it fails to WHY_FAILED in infra/evidence.ts';
  expect(
    failed.map(([words]) => words).filter((words) => !(words in WHY_FAILED)),
    message,
  ).toEqual([]);
});

test('the table of commands has all exit statuses of each, and marks a recording of the lowest', () => {
  const [, rows] = commandsTable({
    export: [0],
    doctor: [0, 1],
    'restore check': [1],
    audit: [],
    import: [0],
    'keys list': 0,
    'keys revoke': null,
  });
  expect(rows).toEqual([
    ['exit status 0 and 1', `\`doctor\` (${WHY_FAILED['doctor']})`],
    ['exit status 0 at best', '`keys list`'],
    ['exit status 0 only', '`export`, `import`'],
    ['exit status 1 only', `\`restore check\` (${WHY_FAILED['restore check']})`],
    ['no run', '`audit`, `keys revoke`'],
  ]);
});

const line = (outcome: string) => JSON.stringify({ action: 'admin keys revoke', outcome });
const program = (status: number | null, words = 'keys revoke') => ({
  command: `npm run -s admin -- --stack core --json ${words} kid`,
  status,
});

test.each<[string, Parameters<typeof exitStatusesOf>[1], string[], number[]]>([
  ['that never ran', [program(0, 'keys list')], [], []],
  ['that always succeeded', [program(0), program(0)], [line('started'), line('ok')], [0]],
  ['that failed once', [program(1), program(0), program(1)], [], [0, 1]],
  ['that failed within a test', [program(0)], [line('started'), line('key_not_found')], [0, 1]],
  ['that ran within a test only', [], [line('started'), line('ok')], [0]],
  ['that exits with 1 though its work is done', [program(1)], [line('ok')], [1]],
  ['that a signal ended', [program(null)], [], [128]],
])('the exit statuses of a command %s are those of all its runs', (_, programs, audited, expected) => {
  expect(exitStatusesOf('keys revoke', programs, audited)).toEqual(expected);
});
