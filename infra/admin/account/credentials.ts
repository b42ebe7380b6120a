import { openCodeOf } from '#lib/account/open-code';
import { type Account, mayAuthenticate } from '#lib/item/account';
import { passkeysOf } from '#lib/passkey/passkey';
import { escapeControls } from '#lib/text/control-characters';
import { DAY_MS, HOUR_MS, MINUTE_MS, parseTime } from '#lib/time';
import { listTokens } from '#lib/token/list';
import { placeOf } from '../../stolen.ts';
import { ACCOUNT, LISTED_TOKENS } from '../operator-needs.ts';
import { jsonOf, Output, readable } from '../output.ts';
import type { Target } from '../target.ts';
import { counted } from '../terminal/progress.ts';
import { find } from './find.ts';

/** Needs of {@link withCredentials}. */
export const CREDENTIALS = [
  ACCOUNT,
  ...LISTED_TOKENS,
  'table:BatchGetItem:PASSKEY',
  'table:GetItem:CODE',
] as const;

interface Created {
  readonly name: string;
  readonly created_at: string;
}

/** What works besides password and sessions: passkeys and tokens, which only commands of their own end, and a code. */
async function credentialsOf({ runtime }: Pick<Target, 'runtime'>, account: Account) {
  const [passkeys, { items: tokens }, code] = await Promise.all([
    passkeysOf(runtime.table, account),
    listTokens(runtime, account),
    openCodeOf(runtime, account),
  ]);
  const last = (all: readonly Created[]) =>
    all.toSorted((one, other) => (one.created_at < other.created_at ? 1 : -1))[0] ?? null;
  return {
    passkeys: passkeys.length,
    newest_passkey: last(
      passkeys.map((it) => ({ name: it.passkey_name, created_at: it.passkey_created_at })),
    ),
    tokens: tokens.length,
    newest_token: last(tokens.map((it) => ({ name: it.name, created_at: `${it.token_created_at}Z` }))),
    code,
  };
}

/** `20 minutes ago` */
export function ago(time: string, now: number): string {
  const ms = now - parseTime(time);
  if (ms < MINUTE_MS) return 'less than a minute ago';
  const [unit, size] =
    ms < HOUR_MS
      ? (['minute', MINUTE_MS] as const)
      : ms < DAY_MS
        ? (['hour', HOUR_MS] as const)
        : (['day', DAY_MS] as const);
  return `${counted(Math.floor(ms / size), unit)} ago`;
}

type Credentials = Awaited<ReturnType<typeof credentialsOf>>;

/** The same for people, each with the command that lists or ends it; nothing without any. */
function linesOf(account: Account, of: Credentials, now: number): string[] {
  const { username } = account;
  const newest = ({ name, created_at }: Created) => `the newest, ${name}, created ${ago(created_at, now)}`;
  const lines = [
    of.newest_passkey &&
      `${counted(of.passkeys, 'passkey')}, ${newest(of.newest_passkey)}: "account passkey list ${username}"`,
    of.newest_token &&
      `${counted(of.tokens, 'API token')}, ${newest(of.newest_token)}: "token list ${username}"`,
    of.code.code_created_at &&
      `a one-time code, created ${ago(of.code.code_created_at, now)} by ${of.code.code_created_by}: "account reset-stamp ${username}" ends it`,
  ].filter((line) => line !== null);
  if (lines.length === 0) return [];
  const when = mayAuthenticate(account, now) ? 'work' : 'work again after an unlock or a reactivation';
  return [
    `These credentials of ${username} ${when}:`,
    ...lines.map((line) => `  ${line}`),
    `If one is not the owner’s: ${placeOf(account.roles.includes('sys_administrator') ? 'administrator' : 'account')}, has all commands`,
  ];
}

/**
 * The answer of a command about an account, with the code and the credentials that work after it. A fault of these reads is
 * a line of the answer, since the work is done.
 */
export async function withCredentials(
  target: Pick<Target, 'runtime'>,
  username: string,
  answer: object,
): Promise<Output> {
  const { json, lines } = await find(target, username)
    .then(async (account) => {
      const all = await credentialsOf(target, account);
      const { code, ...credentials } = all;
      return { json: { ...code, credentials }, lines: linesOf(account, all, target.runtime.now()) };
    })
    .catch(({ message }: Error) => ({
      json: { credentials: null },
      lines: [`The credentials of ${username} could not be listed: ${message}`],
    }));
  const text = answer instanceof Output ? answer.people.text : readable(answer);
  return new Output(
    { ...jsonOf(answer), ...json },
    { text: [text, ...lines.map(escapeControls)].join('\n') },
  );
}
