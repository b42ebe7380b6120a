import { HASHING } from '#lib/contract/needs';
import type { Command } from './command.ts';
import { FINDINGS } from './operator-needs.ts';
import { option } from './options.ts';

/** How long an audit line takes to reach the table at most, in seconds. */
const COPIED_WITHIN = 60;

export const doctor: Command = {
  name: 'doctor',
  description:
    'check table, keys, clock, events, settings, passkeys, machines, audit lines, service; exits 1 if one is missing or wrong',
  options: [
    option(
      '--audit-seconds <n>',
      `how long to wait for an audit line in the table; default: ${COPIED_WITHIN}`,
      Number,
      COPIED_WITHIN,
    ),
  ],
  faultOf: ({ auditSeconds }: { auditSeconds: number }) =>
    auditSeconds >= 0 ? undefined : '--audit-seconds is not a number of seconds',
  group: 'support',
  inputs: { table: 'a finding is wrong', log: 'a finding is wrong', service: 'a finding is wrong' },
  needs: [
    FINDINGS,
    'table:Query:OUTBOX',
    'table:GetItem:STATS',
    'index:GSI1:ACCOUNTS',
    'table:BatchGetItem:ACCOUNT',
    'table:BatchGetItem:PASSKEY',
    'table:Query:AUDIT',
    'audit:read',
    'audit:open',
    'audit-lines:write',
  ],
  spare: HASHING,
  // It writes one line itself, and waits for its copy.
  audited: false,
  run: async (target, { auditSeconds }: { auditSeconds: number }) =>
    (await import('./doctor/doctor.ts')).examine(target, auditSeconds * 1000),
};
