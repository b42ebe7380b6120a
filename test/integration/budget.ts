import { expect } from 'vitest';
import { collectAudit } from '#lib/audit/jobs';
import recorded from '../../infra/cost/budgets.json' with { type: 'json' };
import { type Command, roundTrips } from '../wire/dynamodb-proxy.ts';
import type { Reply } from './service.ts';
import type { startWatchedInstance } from './watched-instance.ts';

/** The cost of a request in a warm function, authentication with a session included. */
export interface Budget {
  /** Sequential. */
  readonly roundTrips: number;
  /** Capacity units, those of indexes included. */
  readonly reads: number;
  readonly writes: number;
  readonly commands: Readonly<Record<string, number>>;
}

export const BUDGETS: Readonly<Record<string, Budget>> = recorded;

export const isRead = ({ operation }: Command) => /^(Get|BatchGet|Query)/.test(operation);
export const sum = (commands: readonly Command[]) => commands.reduce((total, { units }) => total + units, 0);
export const operations = (commands: readonly Command[]) => commands.map(({ operation }) => operation);

/** Whether a command reads the keys that a function caches, which it does once in five seconds. */
const isCheckOfKeys = (needs: Command['needs'], sender: Command['sender']) =>
  needs.includes('table:Query:KEYS') ||
  (needs.includes('table:Query:RESOURCE_KEYS') && sender !== 'oauth.jwks');

type Proxy = Awaited<ReturnType<typeof startWatchedInstance>>['proxy'];

/**
 * The commands during a request, except the read of the keys once in five seconds.
 *
 * @param overlapMs time by which each answer of DynamoDB is delayed, so that parallel commands overlap visibly
 */
export async function commandsDuring(
  proxy: Proxy,
  overlapMs: number,
  send: () => Promise<Pick<Reply<unknown>, 'status' | 'text'>>,
  status = 200,
): Promise<Command[]> {
  await proxy.settled();
  proxy.commands.length = 0;
  proxy.delay(overlapMs);
  const reply = await send();
  expect(reply.status, reply.text).toBe(status);
  await proxy.settled();
  proxy.delay(0);
  return proxy.commands.filter(
    ({ needs, sender }) => !isCheckOfKeys(needs, sender) && sender !== collectAudit.id,
  );
}

export const budgetOf = (commands: readonly Command[]): Budget => ({
  roundTrips: roundTrips(commands),
  reads: sum(commands.filter(isRead)),
  writes: sum(commands.filter((command) => !isRead(command))),
  commands: Object.fromEntries(
    operations(commands).map((name, _, all) => [name, all.filter((each) => each === name).length]),
  ),
});

/** Compares a cost with its row in the file; a failure prints the row to paste. */
export function expectBudget(key: string, cost: Budget): void {
  const row = JSON.stringify({ [key]: cost }, null, 2).slice(2, -2);
  expect(cost, `The row of infra/cost/budgets.json, as measured:\n${row},\n`).toEqual(BUDGETS[key]);
}
