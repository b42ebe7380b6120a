import type { Account } from '#lib/item/account';
import type { Recorded } from '../recording.ts';
import { type Force, leaving } from './administrators.ts';
import { find } from './find.ts';
import { reportErased, reportLeftBehind } from './left-behind.ts';
import { shown } from './show.ts';

/** Work on an existing account. */
export const onAccount =
  <Options>(work: (target: Recorded, it: Account, options: Options) => Promise<object>) =>
  async (target: Recorded, username: string, options: Options) =>
    work(target, await find(target, username), options);

/** Work after which an existing account is no longer an administrator; then what it has made is reported, as for an erased one. */
export const onLeaving =
  <Options extends Force>(work: Parameters<typeof onAccount<Options>>[0]) =>
  async (target: Recorded, username: string, options: Options) => {
    const it = await find(target, username).catch(async (error) => {
      await reportErased(target, username);
      throw error;
    });
    const result = await work(await leaving(target, it, options), it, options);
    await reportLeftBehind(target, it);
    return result;
  };

/** Work on an existing account that answers its directory item. */
export const updating = <Options>(
  work: (target: Recorded, it: Account, options: Options) => Promise<Account>,
) =>
  onAccount(async (target, account, options: Options) =>
    shown(await work(target, account, options), target.runtime),
  );
