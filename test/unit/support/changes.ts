import type { Contract } from '#lib/contract/contract';

/**
 * Whether an endpoint is a login, or may change visible state: it needs writes other than those of the secrets that sign
 * cursors and challenges, and of the number of exported pages. IAM refuses writes that it does not need.
 */
export const changes = ({ needs, unsafe }: Contract): boolean =>
  unsafe === true ||
  needs.some((need) =>
    /^(table|transaction):(Put|Update|Delete|BatchWrite)Item:(?!CURSORS|CHALLENGES|EXPORTS)/.test(need),
  );
