import { expect, test } from 'vitest';
import { listPasskeys } from '#lib/passkey/list';
import { inBase64url } from '#lib/passkey/passkey';
import { openPasskeys } from './bench.ts';

const { runtime, account, user } = await openPasskeys();

test('only the owner gets what a device knows the passkeys by', async () => {
  const { account: ada, device } = await user();
  const root = await account({ roles: ['sys_administrator'] });
  const own = await listPasskeys(runtime, ada, ada);
  expect(own).toMatchObject({
    rp_id: 'id.example.com',
    user_handle: inBase64url(ada.id),
    items: [{ name: 'phone', credential_id: device.id }],
  });
  const { credential_id: _, ...shown } = own.items[0] as (typeof own.items)[number] & {
    credential_id: string;
  };
  expect(await listPasskeys(runtime, root, ada)).toEqual({ items: [shown] });
});
