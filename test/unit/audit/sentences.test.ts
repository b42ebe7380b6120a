import { expect, test } from 'vitest';
import { rotateResourceKey } from '#lib/resource/jobs';
import { contracts } from '#lib/routes';
import { rotateSigningKey } from '#lib/session/jobs';
import { wordsOf } from '../../../infra/admin/command.ts';
import { COMMANDS } from '../../../infra/admin/commands.ts';
import { done, labelOf, READ_ONLY, READS, SENTENCES } from '../../../infra/admin-page/accounts/sentences.ts';

const PLACE = 'Each sentence is in infra/admin-page/accounts/sentences.ts';
const commands = COMMANDS.filter(
  (command) =>
    !('local' in command) &&
    [command, ...Object.values(command.variants ?? {})].some(({ audited }) => audited),
).map((command) => `admin ${wordsOf(command)}`);

test('each action that the audit log may have as done has a sentence, and no other', () => {
  const endpoints = contracts.filter(({ audit }) => audit).map(({ id }) => id);
  // The line of the doctor is what it looks for.
  const all = [
    ...endpoints,
    ...commands,
    'admin doctor',
    rotateSigningKey.id,
    rotateResourceKey.id,
    'first-start',
  ];
  expect(Object.keys(SENTENCES).sort(), PLACE).toEqual(all.sort());
});

test('each other endpoint that may refuse a person has a sentence, and no other', () => {
  const refusing = contracts.filter(({ audit, access }) => !audit && access !== 'public');
  expect(Object.keys(READS).sort(), PLACE).toEqual(refusing.map(({ id }) => id).sort());
});

test('an endpoint that only reads is marked so, and so is its command', () => {
  const endpoints = contracts.filter(({ audit }) => audit?.changes === false).map(({ id }) => id);
  const twins = endpoints.map((id) => `admin ${id.replace('.', ' ')}`);
  expect([...READ_ONLY].sort()).toEqual([...endpoints, ...twins, 'admin export'].sort());
});

test('no two actions have the same label, and none has a brace or a code', () => {
  const labels = Object.entries(SENTENCES).map(([action, text]) => labelOf(action, text));
  expect(labels.filter((label, index) => labels.indexOf(label) !== index)).toEqual([]);
  for (const label of labels) expect(label).toMatch(/^[A-Z][a-z]+ [a-zA-Z’ -]+( \(operator\))?$/);
});

test('done writes each verb in the past tense', () => {
  const verbs = [...Object.values(SENTENCES), ...Object.values(READS), 'get a token'].map(
    (text) => done(text).split(' ')[0],
  );
  expect([...new Set(verbs)].sort()).toEqual(
    'added asked began blocked cancelled changed checked copied counted created deleted downloaded ended erased exported got imported listed locked logged mended published reached reactivated read removed renamed replaced revoked sent switched turned unblocked unlocked'.split(
      ' ',
    ),
  );
});
