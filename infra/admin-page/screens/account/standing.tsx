import type { ComponentChildren } from 'preact';
import type { Account, AuditEntry } from '#lib/client/index';
import { isPseudonym } from '#lib/item/erasure';
import { account as t } from '#texts/account';
import { isMachine } from '../../accounts/machines.tsx';
import { NameOf } from '../../accounts/names.tsx';
import type { Read } from '../../accounts/read.ts';
import { isLocked, isUnused, stateOf } from '../../accounts/state.ts';
import { Badge, Username } from '../../accounts/who.tsx';
import { Act, type Action } from '../../act.tsx';
import { useQuery } from '../../query.ts';
import { client } from '../../session.ts';
import { Time, When } from '../../time.tsx';

/** Actions that lock an account. */
const LOCKS = ['account.lock', 'admin account lock'];

/** The newest entry of a lock of an account: the present one, if it is locked. */
async function lockOf(username: string, signal: AbortSignal): Promise<AuditEntry | undefined> {
  const newest = LOCKS.map(async (action) => {
    for await (const entry of client.audit.browse({ target: username, action }, { signal }))
      if (entry.outcome === 'ok') return entry;
    return undefined;
  });
  const found = (await Promise.all(newest)).filter((entry) => entry !== undefined);
  return found.sort((one, other) => (one.time < other.time ? 1 : -1))[0];
}

/** Who has done something to the account, by name. */
function By({ of }: { readonly of: string }) {
  if (of.startsWith('operator:')) return <>{t.operator}</>;
  return <Username username={of}>{isPseudonym(of) ? undefined : <NameOf username={of} />}</Username>;
}

/** Within half a day, its clock tells a time. */
const isNear = (time: string) => Math.abs(Date.parse(time) - Date.now()) < 43_200_000;

const At = ({ of }: { readonly of: string }) => <When of={of} isClock={isNear(of)} />;

function Locked({ item }: Pick<Read, 'item'>) {
  const { username, lockoutending, lock_reason } = item;
  const lock = useQuery((signal) => lockOf(username, signal), [username, lockoutending, lock_reason]).data;
  const isEndless = !lockoutending || lockoutending.startsWith('9999');
  return (
    <>
      <Badge of="locked" />{' '}
      {lock?.actor && t.by(<By key="by" of={lock.actor} />, <At key="since" of={lock.time} />)}
      {isEndless ? t.untilUnlocked(Boolean(lock?.actor)) : t.until(<When key="until" of={lockoutending} />)}
      {lock_reason && t.reason(<bdi key="reason">{lock_reason}</bdi>)}
    </>
  );
}

const Cancelled = ({ cancelled_at, cancelled_by }: Account) => (
  <>
    <Badge of="cancelled" />{' '}
    {cancelled_by
      ? t.cancelledBy(<Time key="when" of={cancelled_at} />, <By key="by" of={cancelled_by} />)
      : t.cancelled(<Time key="when" of={cancelled_at} />)}
  </>
);

interface Line {
  /** Whether the person can log in, and why not. */
  readonly text: ComponentChildren;
  readonly badge?: ComponentChildren;
  /** What helps. */
  readonly help?: string;
  readonly helps?: Action;
}

/** Whether the owner of an active, unlocked account can log in. */
function lineOf({ item, user }: Read, newCode: Action): Line {
  const block = user.login_block;
  if (block) {
    const tell = block.cause === 'attempts_from_address' ? t.attemptsFromAddress : t.attempts;
    return {
      badge: <span class="badge bad">{t.blocked}</span>,
      text: tell(<At key="since" of={block.since} />, <At key="until" of={block.until} />),
      help: t.blockedHelp,
      helps: newCode,
    };
  }
  if (isMachine(item)) return { text: isUnused(item) ? t.neverMachine : t.canSignIn };
  const end = item.code_expires_at;
  const state = stateOf(item);
  if (state === 'invited' && end)
    return {
      text: t.invited(<When key="until" of={end} />),
      help: t.codeLost,
      helps: { ...newCode, label: t.newCode },
    };
  if (state === 'code_expired' && end)
    return { text: t.codeEnded(<When key="at" of={end} />), helps: { ...newCode, label: t.newCode } };
  if (item.password_set === false) return { text: t.noPassword };
  return { text: isUnused(item) ? t.neverIn : t.canLogIn };
}

/** Whether the line offers a new one-time code. */
export const isHelpedByCode = ({ item, user }: Pick<Read, 'item' | 'user'>) =>
  item.isactive &&
  !isMachine(item) &&
  (Boolean(user.login_block) || ['invited', 'code_expired'].includes(stateOf(item)));

interface StandingProps extends Read {
  /** Creates a one-time code. */
  readonly newCode: Action;
}

/** One line that says whether the owner of an account can log in, why not, and what helps. */
export function Standing({ newCode, ...read }: StandingProps) {
  const { item, user, after } = read;
  const isShut = isLocked(item) && !user.login_block;
  if (isShut || !item.isactive)
    return (
      <div class="standing">
        {isShut && (
          <div>
            <Locked item={item} />
          </div>
        )}
        {!item.isactive && (
          <div>
            <Cancelled {...item} />
          </div>
        )}
      </div>
    );
  const { badge = <Badge of={stateOf(item)} />, text, help, helps } = lineOf(read, newCode);
  return (
    <div class="standing row">
      <span>
        {badge} {text} {help && <span class="faint">{help}</span>}
      </span>
      {helps && <Act {...helps} on={item.username} after={after} />}
    </div>
  );
}
