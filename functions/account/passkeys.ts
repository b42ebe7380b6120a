import { endpoint } from '#lib/handler/endpoint';
import { listPasskeys } from '#lib/passkey/list';
import { contract } from '#lib/passkey/passkeys.contract';

/** Lists the passkeys of the caller; administrators may name another account. */
export const handler = endpoint(contract, ({ caller, accounts: [account] }, runtime) =>
  listPasskeys(runtime, caller, account),
);
