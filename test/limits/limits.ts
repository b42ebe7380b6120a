import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Fault } from '../thief/faults.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Constants that look like limits of the service, but are given: why nobody may raise them. */
const GIVEN: Readonly<Record<string, string>> = {
  'lib/table/read.ts MAX_BATCH': 'DynamoDB: items of a BatchGetItem',
  'lib/outbox/publisher.ts MAX_ENTRIES': 'EventBridge: entries of a PutEvents',
  'lib/password/length.ts MAX_BYTES': 'bcrypt: bytes of a password',
  'lib/instance/settings.ts MAX_AUDIT_DAYS': 'a range of a setting',
};

const DECLARATION = /^export const ((?:MAX|PER)_[A-Z_]+) = (.+);$/gm;

/** A limit of the service. */
export interface Limit {
  /** Its file and its name, such as `lib/account/maxima.ts MAX_TEAMS`. */
  readonly id: string;
  readonly name: string;
  readonly file: string;
  /** Its declaration. */
  readonly text: string;
  readonly expression: string;
}

/** Every exported `MAX_` and `PER_` of the library that is a number or a rate: a limit that is added takes part by itself. */
export const LIMITS: readonly Limit[] = globSync('lib/**/*.ts', { cwd: ROOT })
  .sort()
  .flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(DECLARATION)].map(
      ([text, name = '', expression = '']) => ({ id: `${file} ${name}`, name, file, text, expression }),
    ),
  )
  .filter(({ id }) => !(id in GIVEN));

/** The change that multiplies a limit; of a rate, its `max`. */
export const raised = ({ file, name, text, expression }: Limit, factor: number): Fault => {
  const scaled = expression.startsWith('{')
    ? expression.replace(/max: (\d+)/, (_, max: string) => `max: ${Math.floor(Number(max) * factor)}`)
    : `Math.floor((${expression}) * ${factor})`;
  return { file, find: text, replace: `export const ${name} = ${scaled};` };
};
