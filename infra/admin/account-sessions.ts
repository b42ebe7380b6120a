import type { Command } from 'commander';
import { endSession as contract } from '#lib/account/contracts';
import { endSessions } from '#lib/account/reset-stamp';
import { endSession, listSessions } from '#lib/account/sessions';
import { parse } from '#lib/parse';
import type { Recorded } from './recording.ts';
import { allPages, listed, reading, run } from './run.ts';
import { find, type Target } from './target.ts';

export function sessionsCommand(account: Command): void {
  account
    .command('sessions <username>')
    .description('list the open sessions of an account, newest first')
    .option('--end <id>', 'end the session with this ID, or "all"')
    .action((username: string, { end: id }: { end?: string }, command: Command) =>
      id === undefined ? reading(list)(username, command) : run(end)(username, id, command),
    );
}

async function list(target: Target, username: string) {
  const account = await find(target, username);
  const items = await allPages((cursor) => listSessions(target.runtime, account, { cursor }));
  const lines = items.map(({ id, created_at, expires_at, address, credential, user_agent }) =>
    [id, created_at, 'to', expires_at, address, credential ?? 'password', user_agent].join('  '),
  );
  return listed(items, lines);
}

async function end({ runtime, note }: Recorded, username: string, id: string) {
  const account = await find({ runtime }, username);
  if (id === 'all') return endSessions(runtime, account).then(() => ({ username: account.username, id }));
  const { session_id } = parse(contract.params(), { session_id: id });
  note({ session: session_id });
  return endSession(runtime, account, session_id);
}
