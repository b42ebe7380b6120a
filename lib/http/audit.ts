import { isUsername } from '../account/identifiers.ts';
import type { Contract } from '../contract/contract.ts';
import { FAILURES, type FailureCode } from '../failure.ts';
import { foldCase } from '../fold-case.ts';
import {
  type AuditDetails,
  type AuditEntry,
  type AuditLine,
  type Subject,
  tokenSubject,
} from '../item/audit-entry.ts';
import { log } from '../log/log.ts';
import { hasCredential } from '../log/redact.ts';
import { targetIn } from './authorization.ts';
import { MAX_BODY_BYTES } from './body.ts';
import { asAnswer, asFailure } from './envelope.ts';
import type { EndpointEvent, EndpointMiddleware } from './request.ts';

/** Whether an endpoint is a login or may change visible state: it needs writes other than that of the cursor secret. */
export const isAudited = ({ needs, unsafe }: Contract): boolean =>
  unsafe === true ||
  needs.flat().some((need) => /^(table|transaction):(Put|Update|Delete)Item:(?!CURSORS)/.test(need));

/** Refusals of unreadable input, which come before any decision. */
const UNREAD: readonly FailureCode[] = ['invalid_request', 'payload_too_large', 'unsupported_media_type'];

/**
 * Writes one audit line for every change of state, every login, every refusal of either, and every refused credential
 * or permission on any endpoint. The line is written before the answer: nothing is acknowledged without it.
 */
export function audit(contract: Contract): EndpointMiddleware {
  const audited = isAudited(contract);
  const write = (
    event: EndpointEvent,
    rest: Subject & Pick<AuditEntry, 'actor' | 'outcome' | 'changed' | 'details'> & Partial<AuditEntry>,
  ) => {
    if (event.isAudited) return;
    event.isAudited = true;
    const { http, requestId } = event.requestContext;
    const { actor, credential = event.credential ?? null, target, account, ...result } = rest;
    const entry: Omit<AuditLine, 'time'> = {
      actor: actor && foldCase(actor),
      credential: credential && !hasCredential(credential) ? foldCase(credential) : null,
      action: contract.id,
      target: target && foldCase(target),
      ...(account && { account: foldCase(account) }),
      ...result,
      source: http.sourceIp,
      requestId,
    };
    log('audit', { ...entry });
  };

  return {
    after: ({ event, response }) => {
      if (!audited) return;
      const { data, changed: isFirst, login, about, details: more } = asAnswer(response);
      const answered = data as Data;
      const { credential, session } = login ?? {};
      // Only the answer names the account that has logged in.
      const actor = event.caller?.username ?? answered.username ?? null;
      const subject = about ?? (event.caller ? subjectOf(contract, event, actor) : { target: actor });
      const own = session === undefined ? detailsOf(contract, event) : { session };
      const details = more ? { ...own, ...more } : own;
      const changed = isFirst && hasChanged(contract, event, answered);
      const used = credential ?? event.credential ?? null;
      write(event, { actor, credential: used, ...subject, outcome: 'ok', changed, details });
    },
    onError: ({ event, error }) => {
      const { code, about } = asFailure(error);
      const { status } = FAILURES[code];
      if (status !== 401 && status !== 403 && (!audited || UNREAD.includes(code))) return;
      const isCode = contract.access === 'authenticated-or-code' && !event.caller;
      const isPublic = contract.access === 'public' || isCode;
      // A request from another site is refused before its caller is set.
      const actor = event.caller?.username ?? (isPublic ? null : (about ?? null));
      // A username typed into a login may be a password: only names of accounts are written.
      const subject = isPublic ? { target: about ?? null } : subjectOf(contract, event, actor);
      const details = detailsOf(contract, event);
      write(event, { actor, ...subject, outcome: code, changed: status >= 500 ? null : false, details });
    },
  };
}

/** Properties of the answers of audited endpoints. */
interface Data {
  readonly username?: string;
  readonly changed?: boolean;
}

function hasChanged(contract: Contract, { body }: EndpointEvent, data: Data): boolean {
  if (data.changed !== undefined) return data.changed;
  if (targetIn(contract) === 'body') return Object.keys(body as object).some((name) => name !== 'username');
  return true;
}

/** The account, token or team that a request is about. */
function subjectOf(contract: Contract, event: EndpointEvent, actor: string | null): Subject {
  const short = event.pathParameters?.['short'];
  if (short !== undefined) return { target: asName(short) };
  const { accounts = [], creates, tokenName } = contract;
  const own = isAudited(contract) && !creates ? actor : null;
  const inInput = creates || targetIn(contract) === 'body' ? inBody(event, own) : own;
  const username = accounts.length > 0 ? inPath(event, accounts, accounts.length - 1, own) : inInput;
  const token = event.pathParameters?.['token_name'] ?? tokenName;
  const isOfToken = username !== null && token !== undefined && isTokenName(token);
  return isOfToken ? tokenSubject(token, username) : { target: username };
}

/** The ended session, the source of a copy, or names of the fields in a body; null for other requests. */
function detailsOf(contract: Contract, event: EndpointEvent): AuditDetails | null {
  const { accounts = [] } = contract;
  const session = event.pathParameters?.['session_id'];
  if (session !== undefined) return /^[\da-f-]{36}$/i.test(session) ? { session } : null;
  if (accounts.length === 2) {
    const source = inPath(event, accounts, 0, null);
    return { source: source && foldCase(source) };
  }
  if (targetIn(contract) !== 'body' || typeof event.body !== 'object') return null;
  return { fields: Object.keys(event.body as object).filter((name) => name !== 'username') };
}

/**
 * An account on the path, by default the caller. After the accounts were read, a name without an account is written only
 * if the caller was permitted to request it. After a refused credential nothing was read, and the name is written as sent.
 */
function inPath(event: EndpointEvent, parameters: readonly string[], index: number, own: string | null) {
  const { accounts, guard, pathParameters, caller } = event;
  const named = pathParameters?.[parameters[index] as string];
  const found = accounts?.[index]?.username;
  if (named === undefined || found !== undefined) return asName(found ?? own);
  return caller && !guard ? null : asName(named);
}

/** The account in the body, by default the caller; null if it cannot be read. An unchecked body is a text or base64. */
function inBody({ body, isBase64Encoded }: EndpointEvent, own: string | null): string | null {
  if (String(body).length > 2 * MAX_BODY_BYTES) return null;
  try {
    const text = Buffer.from(String(body), isBase64Encoded ? 'base64' : 'utf8').toString();
    const { username = own } = typeof body === 'string' ? JSON.parse(text) : (body ?? {});
    return asName(username);
  } catch {
    return null;
  }
}

/** A text that is a possible username, unless it is a credential. */
const asName = (text: unknown) =>
  typeof text === 'string' && isUsername(text) && !hasCredential(text) ? text : null;

const isTokenName = (text: string) => /^[\w.-]{1,128}$/.test(text) && !hasCredential(text);
