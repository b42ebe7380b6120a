import { bestEffort } from '../async/best-effort.ts';
import type { LoginAttempts } from '../item/login-attempts.ts';
import type { Runtime } from '../runtime.ts';
import { ConditionFailed } from '../table/write.ts';
import { isKnown, isRefused, PER_PAIR, tooSoon } from './attempts.ts';
import {
  type AttemptList,
  admission,
  type Reservation,
  recordSuccess,
  reserve,
  reserveAtOnce,
} from './reservation.ts';

/** The lists that count attempts of one username from one address. */
export interface AttemptLists {
  readonly ofPair: AttemptList;
  readonly fromAddress: AttemptList;
  /** Absent for codes. */
  readonly onName?: AttemptList;
  /** The list of the pair that remembers a success, if another one counts the attempts. */
  readonly remembers?: AttemptList;
}

/** The places of one attempt in these lists, which are settled together. */
export interface Places extends Reservation {
  /** Whether a login from this address has succeeded recently, with the same security stamp: then only the limit of the pair applies. */
  readonly known: boolean;
  readonly lockedOut: boolean;
}

/** Total time that an attempt waits for others to end. */
const WAIT_MS = 8000;

/**
 * Reserves the places of an attempt: in the list of its pair and, unless the pair is known, in those of its address and,
 * for a password, its username. Free places are taken in parallel; otherwise all attempts take them in this order, which
 * prevents deadlocks.
 *
 * @throws Failure `too_many_requests`
 */
export async function reservePlaces(
  runtime: Runtime,
  { ofPair, fromAddress, onName, remembers }: AttemptLists,
  address: string,
): Promise<Places> {
  const start = runtime.now();
  const known = isKnown(ofPair.item, PER_PAIR, start, ofPair.stamp);
  // Refuses an exhausted or blocked address after the read, before any write.
  const ofAddress = admission(fromAddress, start);
  if (isRefused(ofAddress) && (!known || ofAddress.cause)) throw tooSoon(fromAddress.limit, ofAddress);

  const lists = known ? [ofPair] : [ofPair, fromAddress, ...(onName ? [onName] : [])];
  const places: Place[] = [];
  const held = () => places.filter((place) => place !== undefined);
  try {
    // In parallel only if every list has room as read, so that a refusal by the read costs no write.
    const haveRoom = lists.every((list) => admission(list, start) === 'admitted');
    const left = haveRoom && !known ? await takeAtOnce(runtime, lists, address, places) : lists;
    for (const list of left) places.push(await reserve(runtime, list, address, start + WAIT_MS));
    const [pair, other, name] = places;
    return {
      waited: held().some(({ waited }) => waited),
      known,
      lockedOut: !known && onName !== undefined && !name,
      fail: async () => (await Promise.all(held().map((place) => bestEffort(place.fail())))).includes(true),
      // A success does not clear failures of other usernames from the same address.
      async succeed(stamp) {
        const remembered = remembers && recordSuccess(runtime, remembers, { from: address }, stamp);
        await Promise.all(
          [pair?.succeed(stamp), other?.release(), name?.succeed(), remembered].map(
            (end) => end && bestEffort(end),
          ),
        );
      },
      release: async () => void (await releaseAll(held())),
    };
  } catch (error) {
    await releaseAll(held());
    throw error;
  }
}

/** Undefined while the username is locked out: its list has no places. */
type Place = Reservation | undefined;

const releaseAll = (places: readonly Place[]) =>
  Promise.all(places.map((place) => place && bestEffort(place.release())));

/**
 * Takes places in parallel, by one write each. If another attempt was faster on a list, the places before it are kept
 * and those after it are released: a waiting attempt holds no later place.
 *
 * @param places receives the places that are kept
 * @returns the remaining lists; the first with its current item
 */
async function takeAtOnce(
  runtime: Runtime,
  lists: readonly AttemptList[],
  address: string,
  places: Place[],
): Promise<readonly AttemptList[]> {
  const taken = await Promise.all(
    lists.map((list) => reserveAtOnce(runtime, list, address).catch((error: unknown) => ({ error }))),
  );
  const isPlace = (one: (typeof taken)[number]): one is Place =>
    one === undefined || !(one instanceof ConditionFailed || 'error' in one);
  const end = taken.findIndex((one) => !isPlace(one));
  if (end < 0) {
    places.push(...taken.filter(isPlace));
    return [];
  }
  places.push(...taken.slice(0, end).filter(isPlace));
  await releaseAll(taken.slice(end).filter(isPlace));
  for (const one of taken) if (one && 'error' in one) throw one.error;
  const [first, ...others] = lists.slice(end) as [AttemptList, ...AttemptList[]];
  return [{ ...first, item: (taken[end] as ConditionFailed<LoginAttempts>).item }, ...others];
}
