import { HASHING } from '#lib/contract/needs';
import type { Command } from './command.ts';
import { FINDINGS } from './operator-needs.ts';

export const doctor: Command = {
  name: 'doctor',
  description:
    'check table, keys, clock, events, settings, passkeys, audit lines, service; exits 1 if one is missing or wrong',
  group: 'support',
  inputs: { table: 'a finding is wrong', log: 'a finding is wrong', service: 'a finding is wrong' },
  needs: [
    FINDINGS,
    'table:Query:OUTBOX',
    'table:GetItem:STATS',
    'index:GSI1:ACCOUNTS',
    'table:BatchGetItem:PASSKEY',
    'table:Query:AUDIT',
    'audit:read',
    'audit:open',
    'audit-lines:write',
  ],
  spare: HASHING,
  // It writes one line itself, and waits for its copy.
  audited: false,
  run: async (target) => (await import('./doctor/doctor.ts')).examine(target),
};
