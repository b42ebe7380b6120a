import { collectAudit, refillAudit } from './audit/jobs.ts';
import {
  type Contract,
  ENDPOINT_MEMORY_MB,
  ENDPOINT_TIMEOUT_SECONDS,
  JOB_MEMORY_MB,
  JOB_TIMEOUT_SECONDS,
  type Job,
  type Method,
} from './contract/contract.ts';
import { ACTIVITY, type Need } from './contract/needs.ts';
import * as endpoints from './endpoints.ts';
import { completeErasures } from './erasure/jobs.ts';
import { relayOutbox } from './outbox/jobs.ts';
import { probe } from './probe/jobs.ts';
import { rotateResourceKey } from './resource/jobs.ts';
import { rotateSigningKey } from './session/jobs.ts';
import { followTeams } from './team/jobs.ts';
import type { Texts } from './texts.ts';
import { announceExpiring, removeRevokedTokens } from './token/jobs.ts';
import { refreshKeys } from './trust/jobs.ts';

/** The endpoints; the compiler checks the ID of each. */
const checked: {
  readonly [Id in keyof typeof endpoints]: {
    readonly contract: Contract & { readonly id: Id };
    readonly texts?: Texts;
  };
} = endpoints;

/** Every endpoint by path, for infra, tests and documentation; a function imports its own contract only. */
export const contracts: readonly Contract[] = Object.values(checked)
  .map(({ contract }): Contract => contract)
  .sort((one, other) => (one.path < other.path ? -1 : 1));

const texts = new Map(
  Object.values(checked).map((endpoint) => [endpoint.contract.id as string, endpoint.texts]),
);

/** The texts about an endpoint; empty if there are none. */
export const textsOf = ({ id }: Contract): Texts => texts.get(id) ?? {};

/** Every function without a route. */
export const jobs: readonly Job[] = [
  relayOutbox,
  rotateSigningKey,
  rotateResourceKey,
  collectAudit,
  refillAudit,
  probe,
  announceExpiring,
  removeRevokedTokens,
  completeErasures,
  followTeams,
  refreshKeys,
];

/** Every function. */
export const functions: readonly (Contract | Job)[] = [...contracts, ...jobs];

/** Needs of authentication, including the record of activity. */
const AUTHENTICATION: readonly Need[] = [
  'table:GetItem:ACCOUNT',
  'table:GetItem:TOKEN',
  // A token with its owner, or a caller with the accounts of the path.
  'table:BatchGetItem:ACCOUNT',
  'table:BatchGetItem:TOKEN',
  'table:BatchGetItem:ENDED',
  'table:Query:KEYS',
  ...ACTIVITY,
];

/** All permissions of a function. */
export function needsOf(definition: Contract | Job): ReadonlySet<Need> {
  return new Set<Need>([
    ...('access' in definition && definition.access !== 'public' ? AUTHENTICATION : []),
    ...('accounts' in definition ? (['table:BatchGetItem:ACCOUNT'] as const) : []),
    ...('stepUp' in definition ? (['table:BatchGetItem:PASSKEY'] as const) : []),
    ...definition.needs,
  ]);
}

/** Memory in MB; by default {@link ENDPOINT_MEMORY_MB} or {@link JOB_MEMORY_MB}. */
export const memoryOf = (definition: Contract | Job): number =>
  'trigger' in definition ? JOB_MEMORY_MB : (definition.memory ?? ENDPOINT_MEMORY_MB);

/** Reserved execution environments; undefined without a reservation. */
export const reservedOf = (definition: Contract | Job): number | undefined =>
  'reserved' in definition ? definition.reserved : undefined;

/** Timeout in seconds. */
export const timeoutOf = (definition: Contract | Job): number =>
  'trigger' in definition ? JOB_TIMEOUT_SECONDS : ENDPOINT_TIMEOUT_SECONDS;

/** Modules whose functions have another noun in their IDs, which never change: logs and subscriptions name them. */
const MODULES: Readonly<Record<string, string>> = {
  admin: 'admin-page',
  event: 'outbox',
  events: 'outbox',
  keys: 'session',
  monitoring: 'probe',
};

/** Source of the function `<noun>.<verb>`, relative to the repository: by default `functions/<noun>/<verb>.ts`. */
export function sourceOf({ id }: Contract | Job): string {
  const [noun = '', verb] = id.split('.');
  return `functions/${MODULES[noun] ?? noun}/${verb}.ts`;
}

export interface Route {
  readonly method: Method | 'HEAD';
  /** In the notation of API Gateway, without optional segments. */
  readonly path: string;
  readonly contract: Contract;
}

/**
 * The routes of a contract: one for each method, each further path and alias, and an optional last segment. Public documents also answer
 * HEAD, by which tools check links.
 */
export function routesOf(contract: Contract): Route[] {
  const { access, method, path, alsoAt = [], aliases = [] } = contract;
  const given = typeof method === 'string' ? [method] : method;
  const methods = access === 'public' && given.includes('GET') ? [...given, 'HEAD' as const] : given;
  const [, withoutLast, name] = /^(.*)\/\{(\w+)\?\}$/.exec(path) ?? [];
  const own = withoutLast === undefined ? [path] : [withoutLast, `${withoutLast}/{${name}}`];
  const paths = [...own, ...alsoAt, ...aliases];
  return methods.flatMap((one) => paths.map((each) => ({ method: one, path: each, contract })));
}

export const routes: readonly Route[] = contracts.flatMap(routesOf);
