import { type Condition, conditionOf, OPERATORS } from './pattern-condition.ts';
import { at, fault, isObject, type Leaf } from './pattern-fault.ts';

/** Whether an event matches a pattern. */
export type Matches = (event: unknown) => boolean;

/** What PutRule accepts, in characters. */
const MAX_LENGTH = 4096;

/**
 * One object of a pattern, to be held against one object of the event.
 *
 * @param all every object that stands at the same place of the event, in other elements of an array too
 */
type Node = (one: object, all: readonly object[]) => boolean;

/**
 * Reads the event pattern of a rule, as PutRule does.
 *
 * @throws PatternFault
 */
export function parsePattern(text: string): Matches {
  if (text.length > MAX_LENGTH) throw fault(`it is longer than ${MAX_LENGTH} characters`);
  let pattern: unknown;
  try {
    pattern = JSON.parse(text);
  } catch (error) {
    throw fault(`it is not JSON: ${(error as Error).message}`);
  }
  return compilePattern(pattern);
}

/**
 * Compiles an event pattern: all of its fields must match, each by one of its conditions. A field of the event that is
 * an array matches where one of its values does. What a pattern asks of the objects in an array, one of them must
 * have; but a field that must not exist (`exists: false`) exists in none of them.
 *
 * @throws PatternFault which says what is wrong, and where
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-create-pattern-operators.html
 * @see https://github.com/aws/event-ruler the engine of EventBridge
 */
export function compilePattern(pattern: unknown): Matches {
  if (!isObject(pattern)) throw fault('it is not an object');
  const node = compileObject(pattern, '', false);
  return (event) => objectsIn(event).some((one) => node(one, [one]));
}

function compileObject(pattern: object, path: string, isAlternative: boolean): Node {
  const fields = Object.entries(pattern).map(([field, expected]): Node => {
    const here = path ? `${path}.${field}` : field;
    if (field === '$or') return compileAlternatives(expected, path, here);
    if (isAlternative && OPERATORS.has(field))
      throw fault(`"${field}" cannot name a field in $or${at(path)}`);
    if (Array.isArray(expected)) return compileField(field, expected, here);
    if (!isObject(expected)) throw fault(`"${field}" must be an object or an array${at(here)}`);
    const node = compileObject(expected, here, isAlternative);
    return (one, all) => {
      const below = all.flatMap((each) => objectsIn(fieldOf(each, field)));
      const candidates = objectsIn(fieldOf(one, field));
      return (candidates.length > 0 ? candidates : [{}]).some((each) => node(each, below));
    };
  });
  if (fields.length === 0) throw fault(`empty objects are not allowed${at(path)}`);
  return (one, all) => fields.every((field) => field(one, all));
}

function compileAlternatives(expected: unknown, path: string, here: string): Node {
  if (!Array.isArray(expected) || expected.length < 2 || !expected.every(isObject))
    throw fault(`$or must be an array of two objects or more${at(here)}`);
  const nodes = expected.map((each) => compileObject(each, path, true));
  return (one, all) => nodes.some((node) => node(one, all));
}

function compileField(field: string, expected: readonly unknown[], here: string): Node {
  if (expected.length === 0) throw fault(`empty arrays are not allowed${at(here)}`);
  const conditions = expected.map((each) => conditionOf(each, here));
  const mayBeAbsent = conditions.includes('absent');
  const tests = conditions.filter((each): each is Exclude<Condition, 'absent'> => each !== 'absent');
  return (one, all) =>
    leavesIn(fieldOf(one, field)).some((leaf) => tests.some((test) => test(leaf))) ||
    (mayBeAbsent && all.every((each) => leavesIn(fieldOf(each, field)).length === 0));
}

const fieldOf = (object: object, field: string): unknown =>
  Object.hasOwn(object, field) ? (object as Record<string, unknown>)[field] : undefined;

/** The objects that a value has, however deep in arrays. */
const objectsIn = (value: unknown): object[] =>
  Array.isArray(value) ? value.flatMap(objectsIn) : isObject(value) ? [value] : [];

/** The values that a value has, however deep in arrays, which are neither arrays nor objects. */
const leavesIn = (value: unknown): Leaf[] =>
  Array.isArray(value)
    ? value.flatMap(leavesIn)
    : value === undefined || isObject(value)
      ? []
      : [value as Leaf];
