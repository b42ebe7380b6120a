import { expect, test } from 'vitest';
import { accepts } from '#lib/system/accept';

test.each([
  undefined,
  '',
  '  ',
  '*/*',
  'text/*',
  'text/html',
  'TEXT/HTML',
  'text/html;q=0.1',
  'text/html ; q=0.1, application/json',
  'text/html; charset=utf-8',
  'application/json, */*;q=0.1',
  'application/json;q=1, text/html;q=0.001',
  'text/*;q=0, text/html',
])('%s admits HTML', (header) => {
  expect(accepts(header, 'text/html')).toBe(true);
});

test.each([
  'application/json',
  'application/*',
  'text/plain',
  'text/html;q=0',
  'text/html;q=0.000, */*',
  'text/*;q=0, */*',
  '*/*;q=0',
  'text/htmlx',
  'html',
])('%s does not', (header) => {
  expect(accepts(header, 'text/html')).toBe(false);
});
