import { membership, profileUser } from '../account/profile/profile.ts';
import { readProperties } from '../account/properties.ts';
import { listSessions } from '../account/sessions.ts';
import { newestAbout } from '../audit/browse.ts';
import { relyingPartyId } from '../instance/relying-party.ts';
import type { Account } from '../item/account.ts';
import { passkeysOf, shown } from '../passkey/passkey.ts';
import type { Runtime } from '../runtime.ts';
import { newRoom, type Room } from '../table/listing.ts';
import { isoOf } from '../time.ts';
import { listTokens } from '../token/list.ts';

/** Pages of sessions that an export reads, of 1 MB each: most of them may have ended. */
const MAX_PAGES = 20;

/**
 * Everything that the service stores about an account (GDPR articles 15 and 20), without secrets and hashes. Its sessions, and
 * then the audit entries about it, both newest first, fill the rest of the answer.
 */
export async function exportAccount(runtime: Runtime, account: Account) {
  const { now, table, settings } = runtime;
  const [properties, { items: tokens }, newest, own] = await Promise.all([
    readProperties(table, account.username),
    listTokens(runtime, account),
    listSessions(runtime, account),
    passkeysOf(table, account),
  ]);
  const { teams, roles, apps } = account;
  const user = profileUser(account, properties, now());
  const profile = { user, teams: teams.map(membership), roles, apps };
  const passkeys = own.map((each) => shown(each, relyingPartyId(settings)));
  const fits = newRoom();
  fits({ profile, tokens, passkeys });
  const { sessions, ...cut } = await sessionsFrom(newest, runtime, account, fits);
  const { items: audit, isCut } = await newestAbout(runtime, account.username, fits);
  const audited = { audit, ...(isCut && { audit_truncated: true as const }) };
  return { exported_at: isoOf(now()), profile, tokens, sessions, ...cut, passkeys, ...audited };
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
