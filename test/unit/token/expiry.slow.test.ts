import { test } from 'vitest';
import { openTestTable } from '../support/engine.ts';
import { expiringTogether } from './expiring-together.ts';

const bench = await openTestTable();

test('1,000 tokens that expire around one instant leave exact counts and free names, whatever is removed', () =>
  expiringTogether(bench, 10, 100));
