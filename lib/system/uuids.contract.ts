import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';

const COUNT = 'Must be a whole number from 0 to 10000';

export const contract = {
  id: 'system.uuids',
  summary: 'Generate UUIDs',
  method: 'GET',
  path: '/api/core/system/uuids',
  access: 'authenticated',
  needs: [],
  answersDuringOutage: true,
  headers: { 'cache-control': 'no-store' },
  query: () =>
    z.strictObject({
      n: z.pipe(
        z.string(COUNT).check(z.refine((n) => /^[0-9]{1,5}$/.test(n) && Number(n) <= 10_000, COUNT)),
        z.transform(Number),
      ),
    }),
  response: () => z.array(z.uuid()),
} as const satisfies Contract;
