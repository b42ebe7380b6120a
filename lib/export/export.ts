import { openCodeOf } from '../account/open-code.ts';
import { membership, profileUser } from '../account/profile/profile.ts';
import { readProperties } from '../account/properties.ts';
import { listSessions } from '../account/sessions.ts';
import { relyingPartyId } from '../instance/relying-party.ts';
import type { Account } from '../item/account.ts';
import { passkeysOf, shown } from '../passkey/passkey.ts';
import type { Runtime } from '../runtime.ts';
import { newRoom, type Room } from '../table/listing.ts';
import { isoOf } from '../time.ts';
import { listTokens } from '../token/list.ts';
import { attemptsOn, entriesOf, MAX_ATTEMPTS } from './entries.ts';

/** Pages of sessions that an export reads, of 1 MB each: most of them may have ended. */
const MAX_PAGES = 20;

/**
 * Everything that the service stores about an account (GDPR articles 15 and 20), without secrets and hashes. Its sessions, and
 * then its audit entries, both newest first, fill the rest of the answer.
 */
export async function exportAccount(runtime: Runtime, account: Account) {
  const { now, table, settings } = runtime;
  const [properties, { items: tokens }, newest, own, code, latest] = await Promise.all([
    readProperties(table, account.username),
    listTokens(runtime, account),
    listSessions(runtime, account),
    passkeysOf(table, account),
    codeOf(runtime, account),
    attemptsOn(runtime, account.username),
  ]);
  const { teams, roles, apps } = account;
  const user = profileUser(account, properties, now());
  const profile = { user, teams: teams.map(membership), roles, apps };
  const passkeys = own.map((each) => shown(each, relyingPartyId(settings), account));
  const fits = newRoom();
  fits({ profile, tokens, passkeys, code, latest });
  const { sessions, ...cut } = await sessionsFrom(newest, runtime, account, fits);
  const entries = await entriesOf(runtime, account.username, undefined, fits);
  const attempts = [...latest, ...entries.refused]
    .sort((one, other) => (one.time < other.time ? 1 : -1))
    .slice(0, MAX_ATTEMPTS);
  const parts = { profile, tokens, sessions, ...cut, passkeys, code };
  return { exported_at: isoOf(now()), userid: account.id, ...parts, ...audited(entries), attempts };
}

/** Further audit entries of an export. @param cursor `audit_next` of the page before */
export async function exportFurther(runtime: Runtime, { username }: Account, cursor: string) {
  const entries = await entriesOf(runtime, username, cursor, undefined);
  return { exported_at: isoOf(runtime.now()), ...audited(entries) };
}

/** All pages of an export as one document. */
export async function wholeExport(runtime: Runtime, account: Account) {
  const first = await exportAccount(runtime, account);
  const audit = [...first.audit];
  for (let cursor = first.audit_next; cursor !== undefined; ) {
    const page = await exportFurther(runtime, account, cursor);
    audit.push(...page.audit);
    cursor = page.audit_next;
  }
  return { ...first, audit, audit_truncated: undefined, audit_next: undefined };
}

const audited = ({ items: audit, next_cursor }: Awaited<ReturnType<typeof entriesOf>>) => ({
  audit,
  ...(next_cursor !== undefined && { audit_truncated: true as const, audit_next: next_cursor }),
});

/** The times and the maker of the one-time code that works now; null without one. */
async function codeOf(runtime: Runtime, account: Account) {
  const { code_created_at, code_created_by, code_expires_at } = await openCodeOf(runtime, account);
  if (code_created_at === null || code_created_by === null || code_expires_at === null) return null;
  return { created_at: code_created_at, created_by: code_created_by, expires_at: code_expires_at };
}

/** The sessions of a page and those after it, as many as an answer has room for. */
async function sessionsFrom(
  first: Awaited<ReturnType<typeof listSessions>>,
  runtime: Runtime,
  account: Account,
  fits: Room,
) {
  const sessions: typeof first.items = [];
  let page = first;
  for (let read = 1; ; read++) {
    for (const session of page.items) {
      if (!fits(session)) return { sessions, sessions_truncated: true as const };
      sessions.push(session);
    }
    const { next_cursor: cursor } = page;
    if (cursor === undefined) return { sessions };
    if (read === MAX_PAGES) return { sessions, sessions_truncated: true as const };
    page = await listSessions(runtime, account, { cursor });
  }
}
