import { contract as access } from '#lib/account/access.contract';
import { readAccount, sameUsername } from '#lib/account/account';
import { contract as code } from '#lib/account/code.contract';
import { contract as copy } from '#lib/account/copy.contract';
import { contract as create } from '#lib/account/create.contract';
import { contract as reactivate } from '#lib/account/lifecycle/reactivate.contract';
import { contract as unlock } from '#lib/account/lifecycle/unlock.contract';
import { Failure } from '#lib/failure/failure';
import { type Account, mayAuthenticate } from '#lib/item/account';
import type { AuditEntry } from '#lib/item/audit-entry';
import { idOf } from '#lib/item/erasure';
import { erasedWithId } from '#lib/pseudonym/erased';
import { escapeControls } from '#lib/text/control-characters';
import { foldCase } from '#lib/text/fold-case';
import { tokensSince } from '#lib/token/revoke';
import { givenPseudonym, loggedErasures, pseudonymBy } from '../erased-person.ts';
import type { Target } from '../target.ts';
import { counted, number } from '../terminal/progress.ts';

/** Maximum of tokens, and of accounts of each kind, that a report names. */
const MAX_NAMED = 100;

/**
 * Reports on standard error what an administrator has made and what still works: tokens of others, accounts that it has
 * created, reactivated or unlocked, roles that it has given, and accounts whose passwords it could set by a one-time code. It
 * runs after the remedy: a fault of its reads, such as one of the audit log, is a line of the report.
 */
export async function reportLeftBehind(target: Target, { username, roles }: Account): Promise<void> {
  if (roles.includes('sys_administrator')) await report(target, username, username);
}

/**
 * Reports the same of an erased account, whose roles nobody knows any more. Its tokens for others name its pseudonym, the
 * audit log its name.
 *
 * @param named `erased:<id>`, or the username, by which only administrators find it
 * @throws Failure `account_erased`; nothing if no account was erased
 */
export async function reportErased(target: Target, named: string): Promise<void> {
  const given = givenPseudonym(named);
  const pseudonym = given ?? (await pseudonymBy(target, named));
  if (!pseudonym || !(await erasedWithId(target.runtime.table, idOf(pseudonym)))) return;
  const logged = given ? await usernameOf(target, given) : named;
  await report(target, pseudonym, logged);
  throw new Failure('account_erased', { advice: `What is left of it has the name ${pseudonym}.` });
}

/** The name of an erased account, by the audit log, which may have none any more. */
const usernameOf = async (target: Target, pseudonym: string) =>
  (await loggedErasures(target)).find((one) => one.pseudonym === pseudonym)?.username ?? pseudonym;

/**
 * @param maker as the tokens that it has created for others name it
 * @param username as the audit log names it
 */
async function report(target: Target, maker: string, username: string): Promise<void> {
  const lists = [() => tokenLines(target, maker), () => auditLines(target, username)];
  const lines = await Promise.all(
    lists.map((linesOf) =>
      linesOf().catch(({ message }: Error) => [
        `What ${username} has made could not be listed completely: ${message}`,
      ]),
    ),
  );
  for (const line of lines.flat()) console.error(escapeControls(line));
}

async function tokenLines({ runtime }: Target, username: string) {
  const { found } = await tokensSince(runtime, 0, username);
  const others = found.filter((token) => !sameUsername(token.username, username));
  const title = `${username} has created ${counted(others.length, 'token')} of other accounts, which stay valid: "token revoke --created-by ${username}" deletes them`;
  return listed(
    title,
    others.map((token) => `token ${token.name} of ${token.username}`),
  );
}

/** The accounts of the audit log, which keeps its entries for a limited time; the newest first. */
async function auditLines(target: Target, username: string) {
  const { runtime, audit } = target;
  const read = await audit.read({ actor: username, outcome: 'ok' });
  const entries = read.toReversed().filter(({ changed }) => changed !== false);
  const reportOf = async (
    actions: readonly string[],
    titleOf: (accounts: string) => string,
    lineOf: (account: Account, roles: readonly string[]) => string | undefined,
  ) => {
    const given = rolesByTarget(entries.filter(({ action }) => actions.includes(action)));
    const newest = [...given].slice(0, MAX_NAMED);
    const accounts = await Promise.all(newest.map(([name]) => readAccount(runtime.table, name)));
    const active = accounts.flatMap((account, index) =>
      account?.isactive && !sameUsername(account.username, username)
        ? (lineOf(account, newest[index]?.[1] ?? []) ?? [])
        : [],
    );
    const older = given.size - newest.length;
    const rest = older > 0 ? `, besides ${counted(older, 'older one')}` : '';
    return listed(`${username} has ${titleOf(counted(active.length, 'account'))}${rest}`, active);
  };
  const reports = await Promise.all([
    reportOf(
      [create.id],
      (accounts) => `created ${accounts} that the audit log names and that are active`,
      (account) => `account ${account.username}`,
    ),
    reportOf(
      [reactivate.id, unlock.id],
      (accounts) => `reactivated or unlocked ${accounts}`,
      (account) => (mayAuthenticate(account, runtime.now()) ? `account ${account.username}` : undefined),
    ),
    reportOf(
      [access.id, copy.id],
      (accounts) => `given roles to ${accounts}, which still have them`,
      (account, roles) => {
        const kept = roles.filter((role) => account.roles.includes(role));
        return kept.length > 0 ? `roles of ${account.username}: ${kept.join(', ')}` : undefined;
      },
    ),
    reportOf(
      [code.id],
      (accounts) => `made one-time codes of ${accounts}, whose passwords it may have set`,
      (account) => `password of ${account.username}`,
    ),
  ]);
  return [...reports.flat(), ...(await erasedLines(target, username, entries))];
}

/** The accounts that somebody has created and that were erased since: what they have made names their pseudonyms. */
async function erasedLines(target: Target, username: string, entries: readonly AuditEntry[]) {
  const created = entries
    .filter(({ action }) => action === create.id)
    .map((one) => foldCase(one.target ?? ''));
  if (created.length === 0) return [];
  const erased = (await loggedErasures(target)).filter((one) => created.includes(one.username));
  return listed(
    `Erased accounts that ${username} had created, by the names for "account lock" and "token revoke --created-by"`,
    erased.map((one) => `${one.pseudonym}, formerly ${one.username}`),
  );
}

/** The targets of entries in their order, each with all roles that the entries added to it. */
function rolesByTarget(entries: readonly AuditEntry[]): ReadonlyMap<string, readonly string[]> {
  const given = new Map<string, Set<string>>();
  for (const { target, details } of entries) {
    if (target === null) continue;
    const added = details?.['roles_added'];
    const roles = given.get(target) ?? new Set();
    given.set(target, roles.union(new Set(Array.isArray(added) ? added : [])));
  }
  return new Map([...given].map(([target, roles]) => [target, [...roles]]));
}

/** A title and its lines, of which there may be none. */
function listed(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const more = lines.length - MAX_NAMED;
  const end = more > 0 ? [`  and ${number(more)} more`] : [];
  return [`${title}:`, ...lines.slice(0, MAX_NAMED).map((line) => `  ${line}`), ...end];
}
