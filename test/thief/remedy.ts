import { isoOf, MINUTE_MS } from '#lib/time';
import { REMEDIES, type Remedy, stepsOf } from '../../infra/remedies.ts';
import { apply } from '../integration/remedy.ts';
import { THEFT_AT } from './clock.ts';
import { passwordOf } from './people.ts';
import { ISSUER } from './platform.ts';
import type { State, World } from './world.ts';

interface Stolen {
  readonly row: keyof typeof REMEDIES;
  readonly theft: string;
}

/** Runs the operator commands of a row, with the audit log of a state. The owner knows the passkeys from before the theft. @returns the log after it */
export async function applyRemedy(
  world: World,
  { lines: functions, operators }: State,
  { row, theft }: Stolen,
) {
  let log = operators;
  await apply(stepsOf(REMEDIES[row] as Remedy), {
    accounts: ['owner'],
    issuer: ISSUER,
    time: isoOf(THEFT_AT - MINUTE_MS),
    async run(words, input) {
      const exit = await world.service.command(words, { functions, operators: log }, input);
      log = exit.operators;
      return { ...exit, stderr: '' };
    },
    newPassword: (account) => passwordOf(account, 'operator'),
    isKnown: ({ created_at }) => theft !== 'a passkey' && Date.parse(created_at) < THEFT_AT,
    settled: async () => undefined,
  });
  return log;
}
