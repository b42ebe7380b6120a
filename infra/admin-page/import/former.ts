import { DAY_MS } from '#lib/time';

/** What this browser did with a file. */
export interface Former {
  /** When it began, in ISO 8601. */
  readonly at: string;
  /** Lifetime of the one-time codes. */
  readonly hours?: number | undefined;
  /** The operation that its entries of the audit belong to. */
  readonly batch: string;
}

/** Where this browser keeps it, by the hashes of files: neither names nor contents. */
const PLACE = 'imports';

/** For so long the browser remembers a file. */
const KEPT_MS = 90 * DAY_MS;

const all = (): Readonly<Record<string, Former>> => JSON.parse(localStorage[PLACE] ?? '{}');

export const formerImport = (hash: string): Former | undefined => all()[hash];

/** Notes that a file is imported now. */
export function noteImport(hash: string, former: Former) {
  const kept = Object.entries(all()).filter(([, { at }]) => Date.now() - Date.parse(at) < KEPT_MS);
  localStorage[PLACE] = JSON.stringify({ ...Object.fromEntries(kept), [hash]: former });
}

/** Whether the service repeats its answers to the requests of an import, with their codes: for a day. */
export const isRepeatable = ({ at }: Former) => Date.now() - Date.parse(at) < DAY_MS;
