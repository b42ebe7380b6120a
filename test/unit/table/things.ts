import type { Key } from '#lib/table/keys';

/** An item of a kind that the service does not have, for rules of all kinds. */
export interface Thing {
  readonly n: number;
  readonly text?: string | undefined;
}

let made = 0;

/** A key at which there is no item. */
export const freshKey = (): Key<Thing> => ({ PK: 'THING', SK: String(made++).padStart(6, '0') });

/** The condition that there is no item at a key. */
export const NEW = { ConditionExpression: 'attribute_not_exists(PK)' };
