import { expect, test } from 'vitest';
import { functions } from '#lib/routes';
import { wordsOf } from '../../infra/admin/command.ts';
import { COMMANDS } from '../../infra/admin/commands.ts';
import { evidence } from '../../infra/evidence.ts';
import { TRIGGERS } from '../../infra/triggers.ts';
import { ELSEWHERE, RUNS } from '../stack/command-runs.ts';
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
