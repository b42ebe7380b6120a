import { keepingAdministrator } from '#lib/account/administrators';
import { eraseAccount } from '#lib/erasure/erase';
import { Failure } from '#lib/failure/failure';
import type { Account } from '#lib/item/account';
import { escapeControls } from '#lib/text/control-characters';
import { foldCase } from '#lib/text/fold-case';
import type { Recorded } from '../recording.ts';
import { Refusal } from '../refusal.ts';
import type { Target } from '../target.ts';
import { confirm } from '../terminal/ask.ts';
import { counted } from '../terminal/progress.ts';
import { erasuresOf, nameOf, type Unknown } from './erasures.ts';

/** The erasures that a call chooses. */
export interface Chosen {
  readonly yes?: true;
  readonly except?: readonly string[];
  /** Milliseconds since the epoch, both inclusive. */
  readonly from?: number;
  readonly until?: number;
  readonly id?: readonly string[];
  readonly force?: true;
}

/** An erasure whose account is back. */
type Back = Unknown & { readonly account: Account };

/**
 * Erases again accounts that a restore brought back, after a question. A line of the audit log alone erases nobody who is
 * still wanted: what is unproved, active or the last administrator is only erased by its ID and by force.
 *
 * @throws Refusal `erasure_not_found`, `needs_force`, `not_confirmed`
 */
export async function eraseAgain(target: Recorded, { yes, id, force, ...period }: Chosen) {
  const { runtime, actor, record } = target;
  const isBack = (one: Unknown): one is Back => one.account !== undefined;
  const back = (await erasuresOf(target)).unknown.filter(isBack);
  const excepted = named(back, period.except ?? []);
  const chosen = id
    ? named(back, id)
    : back.filter((one) => isWithin(one, period) && !excepted.includes(one));
  const obstacles = new Map<Back, string>();
  for (const one of chosen) {
    const obstacle = await obstacleOf(target, one);
    if (obstacle !== undefined) obstacles.set(one, obstacle);
  }
  const left = force ? [] : [...obstacles].map(([one, obstacle]) => ({ ...shown(one), why: obstacle }));
  if (id && left.length > 0)
    throw new Refusal(
      'needs_force',
      `Nothing was erased: ${left.map(({ username, userid, why }) => `${username} (${userid}) ${why}`).join('; ')}. --force erases also these`,
    );
  const due = chosen.filter((one) => force || !obstacles.has(one));
  for (const { username, userid, why } of left)
    console.error(
      escapeControls(`left     ${username} (${userid}) ${why}: only --id ${userid} --force erases it`),
    );
  if (due.length > 0)
    await confirm(
      [
        `Erasing ${counted(due.length, 'account')} in the table ${runtime.table.name} with everything about the persons. Nothing undoes this:`,
        ...due.map((one) => `  ${nameOf(one)}${obstacles.has(one) ? `; it ${obstacles.get(one)}` : ''}`),
      ]
        .map(escapeControls)
        .join('\n'),
      yes,
    );
  for (const { account, username } of due) {
    const table = force ? runtime.table : await keepingOthers(target, account);
    const aside = { state: force, days: true };
    const { userid, erased_at } = await eraseAccount({ ...runtime, table }, username, account, actor, aside);
    await record([{ target: username, details: { userid, erased_at, ...(force && { forced: 'state' }) } }]);
  }
  return { erased: due.map(shown), left, changed: due.length > 0 };
}

const shown = ({ username, erased }: Back) => ({ username, userid: erased.erased_id });

/** The erasures of some IDs; an ID without one may be mistyped. @throws Refusal `erasure_not_found` */
function named(back: readonly Back[], ids: readonly string[]): Back[] {
  return [...new Set(ids.map(foldCase))].map((id) => {
    const found = back.find(({ erased }) => foldCase(erased.erased_id) === id);
    if (found) return found;
    throw new Refusal(
      'erasure_not_found',
      `No account with the ID ${id} is back whose erasure is in the audit log: "restore check" lists them`,
    );
  });
}

function isWithin(
  { erased: { erased_at } }: Back,
  { from = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY }: Chosen,
): boolean {
  const time = Date.parse(erased_at);
  return time >= from && time <= until;
}

/** Why an account is only erased by force. */
async function obstacleOf(target: Target, { account, isProved }: Back): Promise<string | undefined> {
  if (!isProved) return 'was erased by no line that proves it';
  if (account.isactive) return 'is active';
  const isLast = await keepingOthers(target, account).then(
    () => false,
    (error) => {
      if (error instanceof Failure && error.code === 'last_administrator') return true;
      throw error;
    },
  );
  return isLast ? 'is the last administrator' : undefined;
}

/** The table for the erasure of an account after which an administrator remains. @throws Failure `last_administrator` */
const keepingOthers = async ({ runtime }: Target, account: Account) =>
  account.roles.includes('sys_administrator') ? keepingAdministrator(runtime, account) : runtime.table;
