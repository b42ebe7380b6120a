import { bestEffort } from '../best-effort.ts';
import type { Runtime } from '../runtime.ts';
import { isKnown, PER_PAIR, tooSoon } from './attempts.ts';
import { type AttemptList, admission, type Reservation, reserve } from './reservation.ts';

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
 * Reserves the places of an attempt: of its pair first, then of its address and its name, unless a login of the pair
 * has succeeded of late. All take them in this order, so that none waits for one who waits for it.
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

  const held: Reservation[] = [];
  const take = async (list: AttemptList) => {
    const place = await reserve(runtime, list, address, start + WAIT_MS);
    if (place) held.push(place);
    return place;
  };
  try {
    const pair = await take(ofPair);
    const other = known ? undefined : await take(fromAddress);
    const name = known ? undefined : await take(onName);
    return {
      waited: held.some(({ waited }) => waited),
      known,
      lockedOut: !known && !name,
      fail: async () => (await Promise.all(held.map((place) => bestEffort(place.fail())))).includes(true),
      // A success says nothing of the other names that are tried from its address.
      async succeed() {
        await Promise.all(
          [pair?.succeed(), other?.release(), name?.succeed()].map((end) => end && bestEffort(end)),
        );
      },
    };
  } catch (error) {
    await Promise.all(held.map((place) => bestEffort(place.release())));
    throw error;
  }
}
