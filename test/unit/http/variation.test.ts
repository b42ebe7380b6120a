import { expect, test, vi } from 'vitest';
import type { Contract } from '#lib/contract/contract';
import { endpoint } from '#lib/handler/endpoint';
import { openEndpoint } from '#lib/handler/open-endpoint';
import { call, OPEN, openEndpoints } from '../support/endpoints.ts';

await openEndpoints();
const OWN = { ...OPEN, access: 'authenticated' } as const satisfies Contract;
const open = (part: object) => openEndpoint({ ...OPEN, ...part } as typeof OPEN, () => 'x');
const own = (part: object) => endpoint({ ...OWN, ...part } as typeof OWN, () => 'x');

test.each([
  ['public', '', { open, part: {}, method: 'GET', vary: undefined }],
  ['public', 'https://app.example', { open, part: {}, method: 'GET', vary: 'Origin' }],
  [
    'compressing',
    'https://app.example',
    { open, part: { compress: true }, method: 'GET', vary: 'Accept-Encoding, Origin' },
  ],
  ['safe', '', { open: own, part: {}, method: 'GET', vary: undefined }],
  ['unsafe', '', { open: own, part: { unsafe: true }, method: 'GET', vary: 'Origin' }],
  ['changing', '', { open: own, part: {}, method: 'POST', vary: 'Origin' }],
])(
  'a %s endpoint with the allowed origins "%s" varies by Origin when its answers do',
  async (_, origins, { open, part, method, vary }) => {
    vi.stubEnv('Settings__CorsAllowedOrigins', origins);
    expect((await call(open(part), { method })).headers['vary']).toBe(vary);
  },
);
