import { expect, test } from 'vitest';
import { newFolder } from '../unit/support/folder.ts';
import { startInstance } from './instance-process.ts';
import { type Call, noted, post } from './service.ts';

const origin = 'https://app.example.com';

// Callers, settings and refusals: test/unit/handler/step-up.matrix.test.ts.
test('the settings reach the functions, and a page of another origin may read the challenge', async () => {
  const { ready } = await startInstance({
    data: newFolder(),
    args: ['--no-demo', '--memory'],
    env: {
      Settings__SecondFactor: 'administrators',
      Settings__AdministratorTokens: 'false',
      Settings__CorsAllowedOrigins: origin,
    },
  });
  const token = noted(ready.admin.token as string);
  const base = ready.url;
  const login = await post('/api/core/account/login', { base, json: { username: 'api', password: token } });
  const jwt = noted(login.body.data.JWTtoken as string);
  const create = (roles: string[], caller: Call) =>
    post('/api/core/account/create', {
      ...{ base, headers: { origin }, json: { username: `user-${roles.length}`, roles } },
      ...caller,
    });

  const refused = await create(['editor'], { jwt });
  expect(refused.code).toBe('step_up_required');
  expect(refused.headers.get('www-authenticate')).toContain('error="insufficient_user_authentication"');
  expect(refused.headers.get('access-control-expose-headers')?.split(',')).toContain('www-authenticate');
  expect((await create(['editor'], { token })).code).toBe('forbidden');
  expect((await create([], { jwt })).status).toBe(200);
});
