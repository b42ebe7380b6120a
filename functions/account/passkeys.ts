import { endpoint } from '#lib/handler/endpoint';
import { relyingPartyId } from '#lib/instance/relying-party';
import { passkeysOf, shown } from '#lib/passkey/passkey';
import { contract } from '#lib/passkey/passkeys.contract';

/** Lists the passkeys of the caller; administrators may name another account. */
export const handler = endpoint(contract, async ({ accounts: [account] }, { table, settings }) => ({
  items: (await passkeysOf(table, account)).map((each) => shown(each, relyingPartyId(settings))),
}));
