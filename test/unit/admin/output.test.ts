import { expect, test } from 'vitest';
import { readable } from '#infra/admin/output';

test.each([
  ['without a zone', '2026-11-20T05:30:00.123', '2026-11-20T05:30:00.123Z'],
  ['with an offset of zero', '2026-11-20T05:30:00+00:00', '2026-11-20T05:30:00Z'],
  ['in UTC', '2026-11-20T05:30:00Z', '2026-11-20T05:30:00Z'],
  ['within a text', 'at 2026-11-20T05:30:00', 'at 2026-11-20T05:30:00'],
])('a terminal shows times in one form: %s', (_what, value, shown) => {
  expect(readable({ time: value })).toBe(`time  ${shown}`);
});
