import { expect, test } from 'vitest';
import { prefersGzip } from '#lib/http/compression';

test.each([
  'gzip',
  'GZIP',
  'deflate, gzip',
  'gzip, deflate, br',
  'gzip;q=0.5',
  'gzip ; q=0.001',
  '*',
  'br, *;q=0.1',
  'identity;q=0, gzip',
  '*;q=0, gzip',
])('%s prefers gzip', (header) => {
  expect(prefersGzip({ 'accept-encoding': header })).toBe(true);
});

test.each([
  undefined,
  '',
  'identity',
  'br',
  'gzip;q=0',
  'gzip;q=0.000',
  'gzip;q=0, *',
  '*;q=0',
  'deflate, *;q=0',
  'gzipped',
  'gzip;q=x',
])('%s does not', (header) => {
  expect(prefersGzip({ 'accept-encoding': header })).toBe(false);
});
