import { expect, test } from 'vitest';
import { functions } from '#lib/routes';
import { wordsOf } from '../../infra/admin/command.ts';
import { COMMANDS } from '../../infra/admin/commands.ts';
import { evidence } from '../../infra/evidence.ts';
import { TRIGGERS } from '../../infra/triggers.ts';
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

test('the triggers include each service that invokes a function', () => {
  const invoking = of('AWS::Lambda::Permission').map(({ Properties }) => Properties['Principal']);
  expect(new Set(TRIGGERS.flatMap(({ principal = [] }) => principal))).toEqual(new Set(invoking));
});
