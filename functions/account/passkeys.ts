import { endpoint } from '#lib/handler/endpoint';
import { contract } from '#lib/passkey/list.contract';
import { passkeysOf, shown } from '#lib/passkey/passkey';

/** Lists the passkeys of the caller; administrators may name another account. */
export const handler = endpoint(contract, async ({ accounts: [account] }, { table }) => ({
  items: (await passkeysOf(table, account)).map(shown),
}));
