import { MAX_EXPORTED_SESSIONS } from '../account/maxima.ts';
import { membership, profileUser } from '../account/profile/profile.ts';
import { readProperties } from '../account/properties.ts';
import { listSessions } from '../account/sessions.ts';
import { newestAbout } from '../audit/browse.ts';
import type { Account } from '../item/account.ts';
import { passkeysOf, shown } from '../passkey/passkey.ts';
import type { Runtime } from '../runtime.ts';
import { isoOf } from '../time.ts';
import { listTokens } from '../token/list.ts';

/**
 * Everything that the service stores about an account (GDPR articles 15 and 20), without secrets and hashes: the audit
 * entries about it, newest first, fill the rest of the answer.
 */
export async function exportAccount(runtime: Runtime, account: Account) {
  const { now, table } = runtime;
  const [properties, { items: tokens }, sessions, passkeys] = await Promise.all([
    readProperties(table, account.username),
    listTokens(runtime, account),
    readSessions(runtime, account),
    passkeysOf(table, account),
  ]);
  const { teams, roles, apps } = account;
  const user = profileUser(account, properties, now());
  const profile = { user, teams: teams.map(membership), roles, apps };
  const own = { exported_at: isoOf(now()), profile, tokens, ...sessions, passkeys: passkeys.map(shown) };
  const otherBytes = Buffer.byteLength(JSON.stringify(JSON.stringify(own)));
  const { items: audit, isCut } = await newestAbout(runtime, account.username, otherBytes);
  return { ...own, audit, ...(isCut && { audit_truncated: true as const }) };
}

async function readSessions(runtime: Runtime, account: Account) {
  const sessions: Awaited<ReturnType<typeof listSessions>>['items'] = [];
  let cursor: string | undefined;
  do {
    const page = await listSessions(runtime, account, { cursor });
    sessions.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor !== undefined && sessions.length < MAX_EXPORTED_SESSIONS);
  return { sessions, ...(cursor !== undefined && { sessions_truncated: true as const }) };
}
