import data from './prices.json' with { type: 'json' };

/** What one unit costs, and where and when that was read. */
export interface Price {
  /** Dollars for so many units. */
  readonly usd: number;
  readonly per: number;
  readonly unit: string;
  /** The list of the provider. */
  readonly page: string;
  /** What was read of it, and on which day it was written; null where it is not known. */
  readonly by: string;
  readonly read: string | null;
}

export type PriceName = keyof typeof data.prices;
export type Prices = Readonly<Record<PriceName, Price>>;

/** The list prices of one region; no other file has any. */
export const PRICES: Prices = data.prices;
export const REGION = data.region;
export const PRICES_NOTE = data.note;

type Assumption = keyof typeof data.assumptions;

/** What no run on this machine can show. */
export type Assumptions = Readonly<Record<Assumption, number>>;

export const ASSUMPTIONS = Object.fromEntries(
  Object.entries(data.assumptions).map(([name, { value }]) => [name, value]),
) as Assumptions;

/** Why an assumption has its value. */
export const reasonOf = (name: string) => data.assumptions[name as Assumption].why;

/** How an instance is used. */
export interface UsageModel {
  readonly about: string;
  /** Users a month, one column each. */
  readonly users: readonly number[];
  /** Requests of a user, and those of the whole instance, by the id of the endpoint. */
  readonly perUser: Readonly<Record<string, number>>;
  readonly perMonth: Readonly<Record<string, number>>;
}

export const USAGE: UsageModel = data.usage;

/** A hosted service that is paid for by its users. */
export interface Hosted extends Pick<Price, 'page' | 'by' | 'read'> {
  readonly name: string;
  /** Dollars a month, whatever its use. */
  readonly monthly: number;
  /** Dollars a user, for those up to so many; null for all further ones. */
  readonly tiers: readonly { readonly upTo: number | null; readonly usd: number }[];
}

export const HOSTED: readonly Hosted[] = data.hosted;

/** Dollars for so many units. */
export const dollars = (prices: Prices, name: PriceName, units: number): number =>
  (prices[name].usd * units) / prices[name].per;

/** Dollars that a hosted service asks a month. */
export function hostedMonth({ monthly, tiers }: Hosted, users: number): number {
  let [total, below] = [monthly, 0];
  for (const { upTo, usd } of tiers) {
    total += usd * Math.max(0, Math.min(users, upTo ?? users) - below);
    below = upTo ?? users;
  }
  return total;
}
