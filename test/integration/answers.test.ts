import { expect, test } from 'vitest';
import { contracts } from '#lib/routes';
import { EVERY_ROLE } from './every-role.ts';
import { createUser, succeed } from './service.ts';

const caller = { token: await (await createUser({ roles: [...EVERY_ROLE] })).token() };

// The answer itself is compared with the OpenAPI document, as all are.
test.each(contracts)('$id answers as its contract declares', async ({ id, title, headers = {} }) => {
  const reply = await succeed(id, await createUser(), caller);
  expect(reply.headers.get('x-request-id')).toBeTruthy();
  // Endpoints that check the origin of the cookie add `Origin` to `Vary`.
  for (const [name, value] of Object.entries(headers))
    expect(reply.headers.get(name)?.replace(', Origin', '')).toBe(value);
  if (title === undefined) return;
  expect(reply.headers.get('cache-control')).toBe('no-store');
  expect(reply.body).toMatchObject({ success: true, message: title });
  expect(reply.body.requestID).toBe(reply.headers.get('x-request-id'));
});
