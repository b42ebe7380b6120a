import { bestEffort } from '../best-effort.ts';
import type { Runtime } from '../runtime.ts';
import { isKnown, PER_PAIR, tooSoon } from './attempts.ts';
import {
  type AttemptList,
  admission,
  Contended,
  type Reservation,
  reserve,
  reserveAtOnce,
} from './reservation.ts';

/** The lists that the attempts on one name from one address can count in. */
export interface AttemptLists {
  readonly ofPair: AttemptList;
  readonly fromAddress: AttemptList;
  readonly onName: AttemptList;
}

/** The places of one attempt in these lists. */
export interface Places {
  /** Whether it had to wait: what was read before is old. */
  readonly waited: boolean;
  /** Whether a login from this address has succeeded of late: then only the limit of the pair applies. */
  readonly known: boolean;
  /** Whether the name is locked out. */
  readonly lockedOut: boolean;
  /** Resolves to whether the failure locks the name. */
  fail(): Promise<boolean>;
  succeed(): Promise<void>;
}

/** An attempt waits this long for others to end, all in all. */
const WAIT_MS = 8000;

/**
 * Reserves the places of an attempt: of its pair, and unless a login of the pair has succeeded of late, of its address
 * and its name. Where all have room they are taken side by side; else in this order by all, so that none waits for one
 * who waits for it.
 *
 * @throws Failure `too_many_requests`
 */
export async function reservePlaces(
  runtime: Runtime,
  { ofPair, fromAddress, onName }: AttemptLists,
  address: string,
): Promise<Places> {
  const start = runtime.now();
  const known = isKnown(ofPair.item, PER_PAIR, start);
  // Who has used up an address costs nothing more than the read.
  const ofAddress = known ? 'admitted' : admission(fromAddress, start);
  if (typeof ofAddress === 'object') throw tooSoon(fromAddress.limit, ofAddress);

  const lists = known ? [ofPair] : [ofPair, fromAddress, onName];
  const places: Place[] = [];
  const held = () => places.filter((place) => place !== undefined);
  try {
    // What is refused by what was read is refused without a write.
    const haveRoom = lists.every((list) => admission(list, start) === 'admitted');
    const left = haveRoom && !known ? await takeAtOnce(runtime, lists, address, places) : lists;
    for (const list of left) places.push(await reserve(runtime, list, address, start + WAIT_MS));
    const [pair, other, name] = places;
    return {
      waited: held().some(({ waited }) => waited),
      known,
      lockedOut: !known && !name,
      fail: async () => (await Promise.all(held().map((place) => bestEffort(place.fail())))).includes(true),
      // A success says nothing of the other names that are tried from its address.
      async succeed() {
        await Promise.all(
          [pair?.succeed(), other?.release(), name?.succeed()].map((end) => end && bestEffort(end)),
        );
      },
    };
  } catch (error) {
    await releaseAll(held());
    throw error;
  }
}

/** Undefined where the name is locked out: there is none to take. */
type Place = Reservation | undefined;

const releaseAll = (places: readonly Place[]) =>
  Promise.all(places.map((place) => place && bestEffort(place.release())));

/**
 * Takes places side by side, by one write each. Where others were faster it keeps those that come before, and gives up
 * those that come after: who waits for a place holds none behind it.
 *
 * @param places where those that it keeps are added
 * @returns the lists that are left, the first as it was found
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
    one === undefined || !(one instanceof Contended || 'error' in one);
  const end = taken.findIndex((one) => !isPlace(one));
  if (end < 0) {
    places.push(...taken.filter(isPlace));
    return [];
  }
  places.push(...taken.slice(0, end).filter(isPlace));
  await releaseAll(taken.slice(end).filter(isPlace));
  for (const one of taken) if (one && 'error' in one) throw one.error;
  const [first, ...others] = lists.slice(end) as [AttemptList, ...AttemptList[]];
  return [{ ...first, item: (taken[end] as Contended).item }, ...others];
}
