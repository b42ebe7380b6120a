import { expect, test } from 'vitest';
import { contracts } from '#lib/routes';
import { EVERY_ROLE } from './every-role.ts';
import { preparationOf, requestOf } from './requests.ts';
import { call, createUser } from './service.ts';

const caller = { token: await (await createUser({ roles: [...EVERY_ROLE] })).token() };

test.each(contracts)(
  '$id answers as its contract declares',
  async ({ id, title, headers = {}, response }) => {
    const user = await createUser();
    for (const [method, path, extra] of preparationOf(id, user))
      await call(method, path, { ...caller, ...extra });
    const [method, path, extra] = requestOf(id, user);
    const reply = await call(method, path, { ...caller, ...extra });

    expect(reply.status, reply.text).toBe(200);
    expect(reply.headers.get('x-request-id')).toBeTruthy();
    // Endpoints that check the origin of the cookie add `Origin` to `Vary`.
    for (const [name, value] of Object.entries(headers))
      expect(reply.headers.get(name)?.replace(', Origin', '')).toBe(value);
    const payload = title === undefined ? (reply.body ?? reply.text) : reply.body.data;
    expect(response().safeParse(payload).error).toBeUndefined();
    if (title === undefined) return;
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect(reply.body).toMatchObject({ success: true, message: title });
    expect(reply.body.requestID).toBe(reply.headers.get('x-request-id'));
  },
);
