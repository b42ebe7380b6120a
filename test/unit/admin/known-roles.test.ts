import { expect, test } from 'vitest';
import { isUnknownRole } from '#infra/admin/membership-options';

test.each([
  ['sys_administrator', false],
  ['sys_tokens', false],
  ['editor', false],
  ['mysys_x', false],
  ['sys_admin', true],
  ['SYS_tokens', true],
  ['sys_', true],
])('whether %s is a role that looks like one of the service, and is none: %s', (role, unknown) => {
  expect(isUnknownRole(role)).toBe(unknown);
});
