import { isUsername } from '../account/identifiers.ts';
import type { AuditEntry } from '../audit/entry.ts';
import { Answer } from '../contract/answer.ts';
import type { Contract } from '../contract/contract.ts';
import { FAILURES, type FailureCode } from '../failure.ts';
import { log } from '../log/log.ts';
import { redact } from '../log/redact.ts';
import { foldCase } from '../table/keys.ts';
import { targetIn } from './authorization.ts';
import { asFailure } from './envelope.ts';
import type { EndpointEvent, EndpointMiddleware } from './request.ts';

/** Whether an endpoint is a login or may change visible state: its needs have writes other than those of activity. */
export const isAudited = ({ needs, unsafe }: Contract): boolean =>
  unsafe === true ||
  needs.flat().some((need) => /^(table|transaction):(Put|Update|Delete)Item:[A-Z]+$/.test(need));

/** Refusals of unreadable input, which come before any decision. */
const UNREAD: readonly FailureCode[] = ['invalid_request', 'payload_too_large', 'unsupported_media_type'];

/**
 * Writes one audit line for every change of state, every login, every refusal of either, and every refused credential
 * or permission on any endpoint. The line is written before the answer: nothing is acknowledged without it.
 */
export function audit(contract: Contract): EndpointMiddleware {
  const audited = isAudited(contract);
  const seen = new WeakSet<object>();
  const write = (
    event: EndpointEvent,
    rest: Pick<AuditEntry, 'actor' | 'target' | 'outcome' | 'changed'>,
  ) => {
    if (seen.has(event)) return;
    seen.add(event);
    const { http, requestId } = event.requestContext;
    const { actor, target, outcome, changed } = rest;
    const entry: Omit<AuditEntry, 'time'> = {
      actor: actor && foldCase(actor),
      action: contract.id,
      target: target && foldCase(target),
      outcome,
      changed,
      source: http.sourceIp,
      requestId,
    };
    log('audit', { ...entry });
  };

  return {
    after: ({ event, response }) => {
      if (!audited) return;
      const isRepeat = response instanceof Answer && !response.changed;
      const data: Data = response instanceof Answer ? response.data : response;
      // Only the answer names the account that has logged in.
      const actor = event.caller?.username ?? data.username ?? null;
      const target = event.caller ? targetOf(contract, event, actor) : actor;
      write(event, { actor, target, outcome: 'ok', changed: !isRepeat && hasChanged(contract, event, data) });
    },
    onError: ({ event, error }) => {
      const { code, about } = asFailure(error);
      const { status } = FAILURES[code];
      if (status !== 401 && status !== 403 && (!audited || UNREAD.includes(code))) return;
      const isPublic = contract.access === 'public';
      // A request from another site is refused before its caller is set.
      const actor = event.caller?.username ?? (isPublic ? null : (about ?? null));
      // A username typed into a login may be a password: only names of accounts are written.
      const target = isPublic ? (about ?? null) : targetOf(contract, event, actor);
      write(event, { actor, target, outcome: code, changed: status >= 500 ? null : false });
    },
  };
}

/** Properties of the answers of audited endpoints. */
interface Data {
  readonly username?: string;
  readonly changed?: boolean;
  readonly roles_added?: readonly string[];
  readonly teams_added?: readonly string[];
}

function hasChanged(contract: Contract, { body }: EndpointEvent, data: Data): boolean {
  if (data.changed !== undefined) return data.changed;
  if (data.roles_added && data.teams_added) return data.roles_added.length + data.teams_added.length > 0;
  if (targetIn(contract) === 'body') return Object.keys(body as object).some((name) => name !== 'username');
  return true;
}

/** The account or token that a request is about. */
function targetOf(contract: Contract, event: EndpointEvent, actor: string | null): string | null {
  const { accounts = [], tokenName } = contract;
  const own = isAudited(contract) ? actor : null;
  const named = targetIn(contract) === 'body' ? inBody(event) : undefined;
  const username = accounts.length > 0 ? inPath(event, accounts.at(-1) as string) : (named ?? own);
  if (typeof username !== 'string') return null;
  const token = event.pathParameters?.['token_name'] ?? tokenName;
  return token !== undefined && isTokenName(token) ? `${token}@${username}` : username;
}

/**
 * The last account on the path. After the accounts were read, a name without an account is written only if the caller
 * was permitted to request it. After a refused credential nothing was read, and the name is written as sent.
 */
function inPath({ accounts, guard, pathParameters, caller }: EndpointEvent, parameter: string) {
  const found = accounts?.at(-1);
  if (found) return found.username;
  return caller && !guard ? undefined : asName(pathParameters?.[parameter]);
}

/** A body that was not parsed yet is a text, and names no account. */
const inBody = ({ body }: EndpointEvent) =>
  typeof body === 'object' ? asName((body as { username?: unknown }).username) : undefined;

/** A text that is a possible username and does not look like a credential. */
const asName = (text: unknown) =>
  typeof text === 'string' && isUsername(text) && redact(text) === text ? text : undefined;

const isTokenName = (text: string) => /^[\w.-]{1,128}$/.test(text) && redact(text) === text;
