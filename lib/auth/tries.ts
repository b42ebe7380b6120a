/** One try of a password: it stands in the list before the password is looked at. */
export interface Try {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Source address. */
  readonly from: string;
  /** Its password is being verified. */
  readonly pending?: true;
}

/** So many failures within a window that slides. */
interface Limit {
  readonly max: number;
  readonly windowMs: number;
}

/** For one username from one source address: more are refused unread. */
export const FROM_ADDRESS: Limit = { max: 5, windowMs: 5 * 60_000 };

/** For one account from anywhere: as many lock its password for a time. */
export const FROM_ANYWHERE: Limit = { max: 50, windowMs: 15 * 60_000 };

/** No function runs for longer: a try that is pending still has ended without an outcome, and has failed. */
const PENDING_MS = 15_000;

/** Whether a try counts as a failure. */
export const hasFailed = (now: number) => (one: Try) => !one.pending || one.at <= now - PENDING_MS;

const within =
  ({ windowMs }: Limit, now: number) =>
  (one: Try) =>
    one.at > now - windowMs;

/** The tries that can still count: of the longer window, and made after failures were last cleared. */
export const remembered = (tries: readonly Try[], now: number, clearedAt: number): readonly Try[] =>
  tries.filter((one) => within(FROM_ANYWHERE, now)(one) && one.at > clearedAt);

/** Whether so many tries from anywhere have failed that the account is to be locked for a time. */
export const isLockedOut = (tries: readonly Try[], now: number): boolean =>
  tries.filter(hasFailed(now)).length >= FROM_ANYWHERE.max;

/** What becomes of a further try: it is admitted, has to wait for others, or is refused for some seconds. */
export type Admission = 'admitted' | 'wait' | { readonly retryAfter: number };

/**
 * Decides a further try. As many tries are looked at as may fail, those that are being verified included: so
 * parallel guesses get no more than sequential ones, and parallel logins take turns.
 *
 * @param tries those {@link remembered}
 */
export function admit(tries: readonly Try[], from: string, now: number): Admission {
  const here = tries.filter((one) => one.from === from).filter(within(FROM_ADDRESS, now));
  const failedHere = here.filter(hasFailed(now));
  if (failedHere.length >= FROM_ADDRESS.max) {
    const oldest = failedHere.at(-FROM_ADDRESS.max) as Try;
    return { retryAfter: Math.max(1, Math.ceil((oldest.at + FROM_ADDRESS.windowMs - now) / 1000)) };
  }
  const isFull =
    here.length >= FROM_ADDRESS.max || (tries.length >= FROM_ANYWHERE.max && !isLockedOut(tries, now));
  return isFull ? 'wait' : 'admitted';
}
