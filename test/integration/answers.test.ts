import { expect, test } from 'vitest';
import { contracts } from '#lib/routes';
import { preparationOf, requestOf } from './requests.ts';
import { admin, call, createUser } from './service.ts';

test.each(contracts)(
  '$id answers as its contract declares',
  async ({ id, title, headers = {}, response }) => {
    const user = await createUser();
    for (const [method, path, extra] of preparationOf(id, user))
      await call(method, path, { ...admin, ...extra });
    const [method, path, extra] = requestOf(id, user);
    const reply = await call(method, path, { ...admin, ...extra });

    expect(reply.status, reply.text).toBe(200);
    expect(reply.headers.get('x-request-id')).toBeTruthy();
    for (const [name, value] of Object.entries(headers)) expect(reply.headers.get(name)).toBe(value);
    const payload = title === undefined ? (reply.body ?? reply.text) : reply.body.data;
    expect(response().safeParse(payload).error).toBeUndefined();
    if (title === undefined) return;
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect(reply.body).toMatchObject({ success: true, message: title });
    expect(reply.body.requestID).toBe(reply.headers.get('x-request-id'));
  },
);
