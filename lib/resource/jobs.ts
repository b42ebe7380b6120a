import type { Job } from '../contract/contract.ts';

export const rotateResourceKey = {
  id: 'keys.rotate-resource-key',
  summary: 'Rotate the keys that sign tokens for other services',
  trigger: 'secret-rotation',
  needs: [
    'table:Query:RESOURCE_KEYS',
    'table:UpdateItem:RESOURCE_KEYS:publish',
    'table:DeleteItem:RESOURCE_KEYS',
    'resource-key:rotate',
  ],
} as const satisfies Job;
