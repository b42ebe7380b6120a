import { Option } from 'commander';

/** An option; `parse` reads its value, and receives the value before if the option is repeated. */
export function option<T>(
  flags: string,
  description: string,
  parse?: (value: string, before: T) => T,
  byDefault?: T | string,
): Option {
  const created = new Option(flags, description).default(byDefault);
  return parse ? created.argParser(parse) : created;
}

/** Parser of an option that may be repeated. */
export const collect = (value: string, before: string[] = []) => [...before, value];

/** Options of commands that change many items. */
export const BULK = [
  option('--table <name>', 'another table, such as a restored one'),
  option('--yes', 'do not prompt for confirmation'),
];
