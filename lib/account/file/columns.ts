import type * as z from 'zod/mini';
import { newFields } from '../new-fields.ts';

/** Columns of secrets, which no download has, of lists, and of booleans. */
export const SECRETS = ['password', 'password_hash'];
export const LISTS = ['apps', 'roles', 'teams'];
export const SWITCHES = ['emailconfirmed', 'lockoutenabled', 'isactive', 'islocked'];

/** The column of a rejected line that has its faults. */
export const FAULT = 'fault';

/** Columns of a download that only the service fills. */
export const SHOWN = ['lastActivity', 'created_at', 'cancelled_at', 'cancelled_by', 'id'] as const;

/** Columns of what administrators have done to an account. */
const STATES = ['isactive', 'islocked', 'lockoutend', 'lock_reason'] as const;

/** Fields of a new account. */
export type NewField = keyof z.input<ReturnType<typeof newFields>>;

/** Columns of a download. */
export type Column = NewField | (typeof STATES)[number] | (typeof SHOWN)[number];

/** Names of what an import can set. */
export const importable = (): readonly string[] => [
  ...new Set(['username', ...Object.keys(newFields().shape)]),
  ...['user_properties', ...SECRETS, ...STATES],
];

/** Whether import leaves out the column: files of this service have it for people. */
export const isForPeople = (name: string) => name === FAULT || (SHOWN as readonly string[]).includes(name);
