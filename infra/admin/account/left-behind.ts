import { readAccount, sameUsername } from '#lib/account/account';
import { contract as create } from '#lib/account/create.contract';
import type { Account } from '#lib/item/account';
import { escapeControls } from '#lib/text/control-characters';
import { tokensSince } from '#lib/token/revoke';
import type { Target } from '../target.ts';
import { counted, number } from '../terminal/progress.ts';

/** Maximum of tokens, and of accounts, that a report names. */
const MAX_NAMED = 100;

/**
 * Reports on standard error the tokens of others, and the accounts, that an administrator has made and that are still
 * there. It runs after the remedy: a fault of its reads, such as one of the audit log, is a line of the report.
 */
export async function reportLeftBehind(target: Target, { username, roles }: Account): Promise<void> {
  if (!roles.includes('sys_administrator')) return;
  const lines = await Promise.all(
    [tokenLines, accountLines].map((linesOf) =>
      linesOf(target, username).catch(({ message }: Error) => [
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
async function accountLines({ runtime, audit }: Target, username: string) {
  const entries = await audit.read({ actor: username, action: create.id, outcome: 'ok' });
  const names = new Set(entries.toReversed().flatMap(({ target }) => target ?? []));
  const newest = [...names].slice(0, MAX_NAMED);
  const read = await Promise.all(newest.map((name) => readAccount(runtime.table, name)));
  const active = read.flatMap((account) => (account?.isactive ? [`account ${account.username}`] : []));
  const older = names.size - newest.length;
  const rest = older > 0 ? `, besides ${counted(older, 'older one')}` : '';
  const title = `${username} has created ${counted(active.length, 'account')} that the audit log names and that are active${rest}`;
  return listed(title, active);
}

/** A title and its lines, of which there may be none. */
function listed(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const more = lines.length - MAX_NAMED;
  const end = more > 0 ? [`  and ${number(more)} more`] : [];
  return [`${title}:`, ...lines.slice(0, MAX_NAMED).map((line) => `  ${line}`), ...end];
}
