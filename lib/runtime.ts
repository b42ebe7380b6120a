import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { ENVIRONMENT } from './instance/environment.ts';
import { type Settings, settingsFromEnvironment } from './instance/settings.ts';
import { openTable, type Table } from './table/table.ts';
import type { Clock } from './time.ts';

/** Dependencies of every rule, which tests replace by their own. */
export interface Runtime {
  readonly table: Table;
  readonly now: Clock;
  /** Bytes from a cryptographically secure generator. */
  readonly random: (bytes: number) => Uint8Array;
  /** A UUID version 7 in the layout of RFC 9562. */
  readonly uuid: () => string;
  readonly settings: Settings;
  /** Name of the instance: `iss` and `aud` of its session tokens. */
  readonly instanceName: string;
}

/** Reads an environment variable that binds the function to a resource. @throws Error if it is not set */
export function requireVariable(name: keyof typeof ENVIRONMENT): string {
  const value = process.env[ENVIRONMENT[name]];
  if (!value) throw new Error(`${ENVIRONMENT[name]} is not set: no need of the contract binds ${name}`);
  return value;
}

/** A runtime for a table, with the clock and the randomness of this process. */
export const runtimeOn = (table: Table, instanceName: string, settings: Settings): Runtime => ({
  table,
  now: Date.now,
  random: randomBytes,
  uuid: uuidv7,
  settings,
  instanceName,
});

/** Creates the runtime of a function, once per execution environment. */
export const runtimeFromEnvironment = (): Runtime =>
  runtimeOn(
    openTable(requireVariable('table')),
    requireVariable('instance'),
    settingsFromEnvironment(process.env),
  );
