import { endSessions } from '#lib/account/reset-stamp';
import { endSession, listSessions } from '#lib/account/sessions';
import { parse } from '#lib/input/parse';
import { contract } from '#lib/login/end-session.contract';
import { allPages } from '../all-pages.ts';
import type { Command } from '../command.ts';
import { ACCOUNT, of, STAMP } from '../operator-needs.ts';
import { option } from '../options.ts';
import { listed } from '../output.ts';
import type { Recorded } from '../recording.ts';
import type { Target } from '../target.ts';
import { find } from './find.ts';

export const sessions: Command = {
  name: 'account sessions <username>',
  description: 'list the open sessions of an account, newest first',
  options: [option('--end <id>', 'end the session with this ID, or "all"')],
  group: 'support',
  inputs: { table: 'a session is not listed' },
  needs: [ACCOUNT, 'table:Query:SESSION', 'table:Query:KEYS', 'table:BatchGetItem:ENDED'],
  audited: false,
  run: list,
  variants: { end: { needs: [ACCOUNT, STAMP, of(contract)], audited: true, run: end } },
};

async function list(target: Target, username: string) {
  const account = await find(target, username);
  const items = await allPages((cursor) => listSessions(target.runtime, account, { cursor }));
  const lines = items.map(({ id, created_at, expires_at, address, credential, user_agent }) =>
    [id, created_at, 'to', expires_at, address, credential ?? 'password', user_agent].join('  '),
  );
  return listed(items, lines);
}

async function end({ runtime, note }: Recorded, username: string, { end: id }: { end: string }) {
  const account = await find({ runtime }, username);
  if (id === 'all') return endSessions(runtime, account).then(() => ({ username: account.username, id }));
  const { session_id } = parse(contract.params(), { session_id: id });
  note({ session: session_id });
  return endSession(runtime, account, session_id);
}
