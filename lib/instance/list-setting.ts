import * as z from 'zod/mini';
import type { FieldError } from '../failure/codes.ts';
import { Failure } from '../failure/failure.ts';
import { parse } from '../input/parse.ts';

/** A setting that is a JSON list of objects. */
export interface ListSetting<Entry> {
  /** Name of the setting, without its prefix. */
  readonly name: string;
  /** What the list has, in words. */
  readonly of: string;
  readonly entry: z.ZodMiniType<Entry>;
  readonly max: number;
  /** The member that names an entry in faults. */
  readonly named: keyof Entry & string;
  /** What is wrong with entries that are valid each, as `<index>.<member>` and the fault. */
  readonly faultsBetween: (entries: readonly Entry[]) => readonly (readonly string[])[];
}

/**
 * Reads a setting that is a list.
 *
 * @param text a JSON list; empty for none
 * @throws Error that names each entry with a fault, its member, and what is expected
 */
export function listIn<Entry>(setting: ListSetting<Entry>, text: string): readonly Entry[] {
  if (text === '') return [];
  const list = parsed(setting, text);
  const { entry, max, faultsBetween } = setting;
  try {
    const entries = parse(z.array(entry).check(z.maxLength(max)), list);
    const faults = faultsBetween(entries);
    if (faults.length === 0) return entries;
    throw faulty(
      setting,
      list,
      faults.map(([field = '', message = '']) => ({ field, message })),
    );
  } catch (error) {
    throw error instanceof Failure ? faulty(setting, list, error.errors ?? []) : error;
  }
}

function parsed({ name, of }: { readonly name: string; readonly of: string }, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`Settings:${name} expects a JSON list of ${of}`);
  }
}

/** `Settings:Issuers: "github" (1) jwks.keys.0: Must be ...`, a line for each fault. */
function faulty(
  setting: { readonly name: string; readonly named: string },
  list: unknown,
  errors: readonly FieldError[],
): Error {
  const place = `Settings:${setting.name}`;
  const lines = errors.map(({ field, message }) => {
    const [, index, member] = /^(\d+)\.?(.*)$/.exec(field) ?? [];
    if (index === undefined) return `${place}: ${message}`;
    const name = (list as Record<string, unknown>[])[Number(index)]?.[setting.named];
    const named = typeof name === 'string' ? `"${name}" ` : '';
    return `${place}: ${named}(${Number(index) + 1}) ${member}: ${message}`;
  });
  return new Error(lines.join('\n'));
}

/** A check that names the fault of a value. */
export const faultless = <T>(faultOf: (value: T) => string | undefined) =>
  z.superRefine<T>((value, context) => {
    const message = faultOf(value);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });
