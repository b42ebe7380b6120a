import { HEARTBEAT } from '../audit/heartbeat.ts';
import type { Job } from '../contract/contract.ts';

export const probe = {
  id: HEARTBEAT,
  summary: 'Send two requests to the public URL, as a client does',
  trigger: 'probe',
  needs: [],
} as const satisfies Job;
