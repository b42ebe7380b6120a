import { expect, inject, test } from 'vitest';
import { json } from './operator.ts';

test('doctor finds the instance under test healthy', async () => {
  const states = async () => {
    const { code, answer } = await json(['doctor']);
    const checks: { check: string; state: string }[] = code === 0 ? answer : [];
    return Object.fromEntries(checks.map(({ check, state }) => [check, state]));
  };
  const own = inject('stack') === undefined ? {} : { outputs: 'ok' };
  const healthy = { status: 'ok', signing_key: 'ok', service: 'ok', pending_events: 'ok', ...own };
  await expect.poll(states).toMatchObject(healthy);
});
