import { expect, test } from 'vitest';
import { rotateResourceKey } from '#lib/resource/jobs';
import { contracts } from '#lib/routes';
import { rotateSigningKey } from '#lib/session/jobs';
import { wordsOf } from '../../../infra/admin/command.ts';
import { COMMANDS } from '../../../infra/admin/commands.ts';
import { type Phrase, READ_ONLY } from '../../../infra/admin-page/accounts/sentences.ts';
import { sentences as de } from '../../../infra/admin-page/texts/de/sentences.ts';
import { sentences as en } from '../../../infra/admin-page/texts/en/sentences.ts';

const PLACE = 'Each sentence is in infra/admin-page/texts/en/sentences.ts and texts/de/sentences.ts';
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
  expect(Object.keys(en.actions).sort(), PLACE).toEqual(all.sort());
});

test('each other endpoint that may refuse a person has a sentence, and no other', () => {
  const refusing = contracts.filter(({ audit, access }) => !audit && access !== 'public');
  expect(Object.keys(en.reads).sort(), PLACE).toEqual(refusing.map(({ id }) => id).sort());
});

test('an endpoint that only reads is marked so, and so is its command', () => {
  const endpoints = contracts.filter(({ audit }) => audit?.changes === false).map(({ id }) => id);
  const twins = endpoints.map((id) => `admin ${id.replace('.', ' ')}`);
  expect([...READ_ONLY].sort()).toEqual([...endpoints, ...twins, 'admin export'].sort());
});

const TEXTS = [
  ['English', en, / \(operator\)$/],
  ['German', de, / \(Operator\)$/],
] as const;

test.each(TEXTS)(
  'no two actions have the same label in %s, and none has a brace or a code',
  (_, t, byOperator) => {
    const labels = Object.entries<Phrase>(t.actions).map(([action, { label }]) => {
      expect(byOperator.test(label), label).toBe(action.startsWith('admin '));
      return label;
    });
    expect(labels.filter((label, index) => labels.indexOf(label) !== index)).toEqual([]);
    for (const label of labels) expect(label).toMatch(/^\p{Lu}[\p{L}’, -]+( \([Oo]perator\))?$/u);
  },
);

test('English writes each verb in the past tense', () => {
  const phrases: Phrase[] = [...Object.values(en.actions), ...Object.values(en.reads), en.tokenForService];
  const verbs = phrases.map(({ done }) => done.split(' ')[0]);
  expect([...new Set(verbs)].sort()).toEqual(
    'added asked began blocked cancelled changed checked copied counted created deleted downloaded ended erased exported got imported listed locked logged mended published reached reactivated read removed renamed replaced revoked sent switched turned unblocked unlocked'.split(
      ' ',
    ),
  );
});

test('German says the same about the same target in both forms, and has a noun for each account', () => {
  for (const { done, tried } of Object.values<Phrase>({ ...de.actions, ...de.reads })) {
    const [inDone, inTried] = [done, tried].map((text) => text.match(/\{.*\}/)?.[0]);
    expect(inDone, done).toBe(inTried);
    const [, ending = ''] = inDone?.match(/(\w+ Kontos?)\}$/) ?? [];
    if (ending) expect(Object.keys(de.nouns), done).toContain(ending);
    expect(tried).toMatch(/zu ?[a-zäöü]+n( |,|$)/);
  }
});
