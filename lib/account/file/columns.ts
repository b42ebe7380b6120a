import { newFields } from '../new-fields.ts';

/** Columns of secrets, which no download has, of lists, and of booleans. */
export const SECRETS = ['password', 'password_hash'];
export const LISTS = ['apps', 'roles', 'teams'];
export const SWITCHES = ['emailconfirmed', 'lockoutenabled', 'isactive', 'islocked'];

/** The column of a rejected line that has its faults. */
export const FAULT = 'fault';

/** Columns of a download that only the service fills. */
export const SHOWN = ['lastActivity', 'created_at', 'cancelled_at', 'cancelled_by', 'id'];

/** Names of what an import can set. */
export const importable = (): readonly string[] => [
  ...new Set(['username', ...Object.keys(newFields().shape)]),
  ...['user_properties', ...SECRETS, 'isactive', 'islocked', 'lockoutend', 'lock_reason'],
];

/** Whether import leaves out the column: files of this service have it for people. */
export const isForPeople = (name: string) => name === FAULT || SHOWN.includes(name);
