import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
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
  // The setup alone rotates the key.
  expect(callers.find(({ id }) => id === rotateSigningKey.id)?.calls).not.toEqual([]);
  expect(callers.flatMap(deniedOf)).toEqual([]);
});
