import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { rotateResourceKey } from '#lib/resource/jobs';
import { rotateSigningKey } from '#lib/session/jobs';
import { STACK } from './global-setup.ts';
import { callersOf, deniedOf } from './grants.ts';
import { readCalls } from './recorder.ts';

const callers = await callersOf(STACK, readCalls(join(inject('cloud').folder, 'calls.jsonl')));

test('the emulator refuses no call of a function', () => {
  const refused = callers.flatMap(({ id, calls }) =>
    calls.filter(({ code }) => code?.startsWith('AccessDenied')).map(({ operation }) => `${id} ${operation}`),
  );
  expect(refused).toEqual([]);
});

test('the roles that CloudFormation created allow every call, under both readings of transactions', () => {
  // The setup alone rotates the keys.
  for (const rotation of [rotateSigningKey, rotateResourceKey])
    expect(callers.find(({ id }) => id === rotation.id)?.calls).not.toEqual([]);
  expect(callers.flatMap(deniedOf)).toEqual([]);
});
