import { isUsername } from '../account/identifiers.ts';
import type { Contract } from '../contract/contract.ts';
import type { GatewayEvent } from '../contract/gateway-event.ts';
import { FAILURES, type FailureCode } from '../failure/codes.ts';
import type { Account } from '../item/account.ts';
import {
  type AuditDetails,
  type AuditEntry,
  type AuditLine,
  logged,
  type Subject,
  tokenSubject,
} from '../item/audit-entry.ts';
import { log } from '../log/log.ts';
import { hasCredential } from '../log/redact.ts';
import { EARLIER_NAME, typedName } from '../passkey/name.ts';
import { foldCase } from '../text/fold-case.ts';
import { trimmed } from '../text/trimmed.ts';
import { targetIn } from './authorization.ts';
import { batchOf } from './batch.ts';
import { MAX_BODY_BYTES } from './body.ts';
import { asFailure } from './envelope.ts';
import { type EndpointMiddleware, fieldsOf, type RequestContext } from './request.ts';

/** Whether an endpoint is a login, may change visible state, or reads a whole person. */
export const isAudited = (contract: Contract): boolean => contract.audit !== undefined;

/** Refusals of unreadable input, which come before any decision; unless they are about an account, whose credential was verified. */
const UNREAD: readonly FailureCode[] = ['invalid_request', 'payload_too_large', 'unsupported_media_type'];

/**
 * Writes one audit line for every change of state, every login, every export of an account, every refusal of one of them,
 * and every refused credential or permission on any endpoint. The line is written before the answer: nothing is acknowledged without it.
 */
export function audit(contract: Contract): EndpointMiddleware {
  const audited = isAudited(contract);
  const write = (
    context: RequestContext,
    rest: Subject & Pick<AuditEntry, 'actor' | 'outcome' | 'changed' | 'details'> & Partial<AuditEntry>,
  ) => {
    if (context.isAudited) return;
    context.isAudited = true;
    const { http, requestId } = context.event.requestContext;
    const {
      actor,
      credential = context.authenticated?.credential ?? null,
      target,
      account,
      details,
      ...result
    } = rest;
    const all = { ...details, ...(context.authenticated && batchOf(context.event)) };
    const entry: Omit<AuditLine, 'time'> = {
      actor: actor && foldCase(actor),
      credential: credential && !hasCredential(credential) ? credential : null,
      action: contract.id,
      ...logged({ target, account }),
      ...result,
      details: Object.keys(all).length > 0 ? all : null,
      source: http.sourceIp,
      requestId,
    };
    log('audit', { ...entry });
  };

  return {
    after: ({ event: context }) => {
      const { answer, authenticated } = context;
      if (!audited || !answer) return;
      const { data, changed: isFirst, login, about, details: more } = answer;
      const { credential, session, username = fieldsOf(data)['username'] } = login ?? {};
      // Only the answer names the account that has logged in.
      const actor = authenticated?.caller.username ?? (typeof username === 'string' ? username : null);
      const subject = about ?? (authenticated ? subjectOf(contract, context, actor) : { target: actor });
      const own = session === undefined ? detailsOf(contract, context) : { session };
      const details = detailsIn({ ...fieldsOf(data), ...own, ...more }, contract);
      const changed = isFirst && hasChanged(contract, context, data);
      const used = credential ?? authenticated?.credential ?? null;
      write(context, { actor, credential: used, ...subject, outcome: 'ok', changed, details });
    },
    onError: ({ event: context, error }) => {
      const { code, about, cause } = asFailure(error);
      const { status } = FAILURES[code];
      const isUnread = UNREAD.includes(code) && about === undefined;
      if (status !== 401 && status !== 403 && (!audited || isUnread)) return;
      const { authenticated } = context;
      const actor = authenticated?.caller.username ?? null;
      // Strangers may send any name: without a caller, only the account of a proof is written.
      const subject = authenticated ? subjectOf(contract, context, actor, code) : { target: about ?? null };
      // Only the entry may tell why: callers get the same answer for each cause.
      const own = authenticated ? detailsOf(contract, context) : null;
      const details = code !== 'unauthenticated' && cause ? { cause } : own;
      const changed = status >= 500 && mayChange(contract) ? null : false;
      write(context, { actor, ...subject, outcome: code, changed, details });
    },
  };
}

/** The details that the contract names; null if there are none. */
function detailsIn(all: Readonly<Record<string, unknown>>, { audit }: Contract): AuditDetails | null {
  const found = (audit?.details ?? []).filter((name) => all[name] !== undefined);
  return found.length > 0
    ? (Object.fromEntries(found.map((name) => [name, all[name]])) as AuditDetails)
    : null;
}

const mayChange = ({ audit }: Contract): boolean => audit?.changes ?? true;

/** Whether a request has changed something, by the data of its answer or by the fields of its body. */
function hasChanged(contract: Contract, { input }: RequestContext, data: unknown): boolean {
  if (!mayChange(contract)) return false;
  const { changed } = fieldsOf(data);
  if (typeof changed === 'boolean') return changed;
  return targetIn(contract) !== 'body' || changesIn(input?.body).length > 0;
}

/** The fields of a body that names its target. */
const changesIn = (body: unknown) => Object.keys(fieldsOf(body)).filter((name) => name !== 'username');

/** Failures by which no account has the name in a body: it may be that of an erased person. */
const NOBODY: readonly unknown[] = ['account_not_found', 'account_erased'];

/** The account, token or team that a request is about. @param code of its failure */
function subjectOf(
  contract: Contract,
  context: RequestContext,
  actor: string | null,
  code?: FailureCode,
): Subject {
  const { pathParameters } = context.event;
  const short = pathParameters?.['short'];
  if (short !== undefined) return { target: asName(short) };
  const { accounts = [], creates, tokenName } = contract;
  const own = isAudited(contract) && !creates ? actor : null;
  const isInBody = creates || targetIn(contract) === 'body';
  const inInput = !isInBody ? own : NOBODY.includes(code) ? null : inBody(context, own);
  const [last] = accounts.slice(-1);
  const username = last === undefined ? inInput : inPath(context, last, context.accounts?.at(-1), own);
  const token = pathParameters?.['token_name'] ?? tokenName;
  const isOfToken = username !== null && token !== undefined && isTokenName(token);
  return isOfToken ? tokenSubject(token, username) : { target: username };
}

/** The ended session, the passkey, the trust, the source of a copy, or names of the fields in a body; null for other requests. */
function detailsOf(contract: Contract, context: RequestContext): AuditDetails | null {
  const {
    session_id: session,
    passkey_name: passkey,
    trust_name: trust,
  } = context.event.pathParameters ?? {};
  if (passkey !== undefined) return passkeyIn(context, passkey);
  if (trust !== undefined) return isTokenName(trust) ? { trust } : null;
  if (session !== undefined) return /^[\da-f-]{36}$/i.test(session) ? { session } : null;
  const [from, to] = contract.accounts ?? [];
  if (from !== undefined && to !== undefined) {
    const source = inPath(context, from, context.accounts?.[0], null);
    return { source: source && foldCase(source) };
  }
  if (targetIn(contract) !== 'body' || !context.input) return null;
  return { fields: changesIn(context.input.body) };
}

/** The name of a passkey: as stored, once an answer tells it. */
function passkeyIn({ answer }: RequestContext, named: string): AuditDetails | null {
  const { name = typedName(named) } = fieldsOf(answer?.data);
  const passkey = `${name}`;
  return EARLIER_NAME.test(passkey) && !hasCredential(passkey) ? { passkey } : null;
}

/** An account on the path, by default the caller. A name without an account is not written: it may be that of an erased person. */
function inPath(
  { event }: RequestContext,
  parameter: string,
  found: Account | undefined,
  own: string | null,
) {
  const named = event.pathParameters?.[parameter];
  return asName(found?.username ?? (named === undefined ? own : null));
}

/** The account in the body, by default the caller. A request that was refused before its body was read has only a text. */
function inBody({ event, body }: RequestContext, own: string | null): string | null {
  if (body === undefined) return inText(event, own);
  const { username = own } = fieldsOf(body);
  return asName(username);
}

/** The account in the text of a body; null if it cannot be read. */
function inText({ body = '{}', isBase64Encoded }: GatewayEvent, own: string | null): string | null {
  if (body.length > 2 * MAX_BODY_BYTES) return null;
  try {
    const { username = own } = JSON.parse(Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8').toString());
    return asName(username);
  } catch {
    return null;
  }
}

/** A text that is a possible username as it was typed, unless it is a credential. */
function asName(text: unknown): string | null {
  const name = typeof text === 'string' ? trimmed(text) : '';
  return isUsername(name) && !hasCredential(name) ? name : null;
}

const isTokenName = (text: string) => /^[\w.-]{1,128}$/.test(text) && !hasCredential(text);
