import type { Job } from '../contract/contract.ts';

export const rotateSigningKey = {
  id: 'keys.rotate-signing-key',
  summary: 'Rotate the key that signs session tokens',
  trigger: 'secret-rotation',
  needs: ['table:Query:KEYS', 'table:UpdateItem:KEYS:publish', 'table:DeleteItem:KEYS', 'signing-key:rotate'],
} as const satisfies Job;
