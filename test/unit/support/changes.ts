import type { Contract } from '#lib/contract/contract';

/**
 * Whether an endpoint is a login, or may change visible state: it needs writes other than that of the cursor secret. IAM
 * refuses writes that it does not need.
 */
export const changes = ({ needs, unsafe }: Contract): boolean =>
  unsafe === true ||
  needs.some((need) => /^(table|transaction):(Put|Update|Delete|BatchWrite)Item:(?!CURSORS)/.test(need));
