import { endpoint } from '#lib/handler/endpoint';
import { passkeysOf, shown } from '#lib/passkey/passkey';
import { contract } from '#lib/passkey/passkeys.contract';

/** Lists the passkeys of the caller; administrators may name another account. */
export const handler = endpoint(contract, async ({ accounts: [account] }, { table }) => ({
  items: (await passkeysOf(table, account)).map(shown),
}));
