import type { Job } from '../http/contract.ts';

export const rotate = {
  id: 'keys.rotate-signing-key',
  summary: 'Rotate the key that signs session tokens',
  trigger: 'secret-rotation',
  needs: [
    'table:Query:KEYS',
    'table:PutItem:KEYS',
    'table:UpdateItem:KEYS',
    'table:DeleteItem:KEYS',
    'signing-key:rotate',
  ],
} as const satisfies Job;
