import { BlockList, isIP } from 'node:net';
import { at, fault, isObject, type Leaf } from './pattern-fault.ts';

/** What a value must be; or `absent`, where there must be none. */
export type Condition = 'absent' | Test;

type Test = (leaf: Leaf) => boolean;
type TextTest = (text: string) => boolean;

/** Numbers of patterns lie between its negative and itself. */
const MAX_NUMBER = 5e9;

const onText =
  (test: TextTest): Test =>
  (leaf) =>
    typeof leaf === 'string' && test(leaf);

/**
 * One entry of the array that a field of a pattern has: a value, or an object with one operator.
 *
 * @throws PatternFault
 */
export function conditionOf(expected: unknown, path: string): Condition {
  if (Array.isArray(expected)) throw fault(`a value must be no array${at(path)}`);
  if (!isObject(expected)) return (leaf) => leaf === expected;
  const [name, operand] = onlyEntry(expected, path);
  const operator = OPERATORS.get(name);
  if (!operator) throw fault(`unrecognized match type "${name}"${at(path)}`);
  return operator(operand, path);
}

function onlyEntry(object: object, path: string): [string, unknown] {
  const [first, ...others] = Object.entries(object);
  if (!first || others.length > 0)
    throw fault(`a match expression must have one key, not ${others.length + (first ? 1 : 0)}${at(path)}`);
  return first;
}

/** The operators on texts that `anything-but` takes, too. */
const TEXT_OPERATORS: ReadonlyMap<string, (operand: string, path: string) => TextTest> = new Map([
  ['prefix', (operand) => (text: string) => text.startsWith(operand)],
  ['suffix', (operand) => (text: string) => text.endsWith(operand)],
  ['equals-ignore-case', (operand) => (text: string) => fold(text) === fold(operand)],
  ['wildcard', (operand, path) => wildcard(operand, path)],
] satisfies [string, (operand: string, path: string) => TextTest][]);

const fold = (text: string) => text.toLowerCase();

const textOperator =
  (name: string) =>
  (operand: unknown, path: string): Test => {
    if (typeof operand === 'string')
      return onText((TEXT_OPERATORS.get(name) as (operand: string, path: string) => TextTest)(operand, path));
    if (!isObject(operand) || !/^(pre|suf)fix$/.test(name))
      throw fault(`the value of ${name} must be a string${at(path)}`);
    const [inner, text] = onlyEntry(operand, path);
    if (inner !== 'equals-ignore-case' || typeof text !== 'string')
      throw fault(`the value of ${name} must be a string, or equals-ignore-case with a string${at(path)}`);
    return name === 'prefix'
      ? onText((value) => fold(value).startsWith(fold(text)))
      : onText((value) => fold(value).endsWith(fold(text)));
  };

/** Every operator by its name. */
export const OPERATORS: ReadonlyMap<string, (operand: unknown, path: string) => Condition> = new Map([
  ...[...TEXT_OPERATORS.keys()].map((name) => [name, textOperator(name)] as const),
  ['anything-but', anythingBut],
  ['exists', exists],
  ['numeric', numeric],
  ['cidr', cidr],
]);

function exists(operand: unknown, path: string): Condition {
  if (typeof operand !== 'boolean') throw fault(`the value of exists must be true or false${at(path)}`);
  return operand ? () => true : 'absent';
}

/** Anything but values, or but texts that an operator matches; there must be something. */
function anythingBut(operand: unknown, path: string): Test {
  if (isObject(operand)) {
    const [name, texts] = onlyEntry(operand, path);
    const operator = TEXT_OPERATORS.get(name);
    const list = Array.isArray(texts) ? texts : [texts];
    if (!operator) throw fault(`anything-but does not take "${name}"${at(path)}`);
    if (list.length === 0 || !list.every((text) => typeof text === 'string' && text !== ''))
      throw fault(
        `the value of ${name} must be a string or a list of strings, none of them empty${at(path)}`,
      );
    const tests = (list as string[]).map((text) => onText(operator(text, path)));
    return (leaf) => !tests.some((test) => test(leaf));
  }
  const list: readonly unknown[] = Array.isArray(operand) ? operand : [operand];
  const kinds = new Set(list.map((each) => typeof each));
  if (kinds.size !== 1 || !(kinds.has('string') || kinds.has('number')))
    throw fault(`anything-but takes strings only, or numbers only${at(path)}`);
  return (leaf) => !list.includes(leaf);
}

const COMPARISONS: Readonly<Record<string, (value: number, bound: number) => boolean>> = {
  '=': (value, bound) => value === bound,
  '>': (value, bound) => value > bound,
  '>=': (value, bound) => value >= bound,
  '<': (value, bound) => value < bound,
  '<=': (value, bound) => value <= bound,
};

/** `["=", 5]`, `["<", 10]`, or both ends of a range, the lower one first: `[">", 0, "<=", 5]`. */
function numeric(operand: unknown, path: string): Test {
  if (!Array.isArray(operand) || (operand.length !== 2 && operand.length !== 4))
    throw fault(`the value of numeric must be a list of one or two comparisons${at(path)}`);
  const terms = operand.length === 2 ? [operand] : [operand.slice(0, 2), operand.slice(2)];
  for (const [name, bound] of terms) {
    if (typeof name !== 'string' || !Object.hasOwn(COMPARISONS, name))
      throw fault(`unrecognized numeric operator ${JSON.stringify(name)}${at(path)}`);
    if (typeof bound !== 'number' || Math.abs(bound) > MAX_NUMBER)
      throw fault(`the value of ${name} must be a number from -5e9 to 5e9${at(path)}`);
  }
  const [[lower, from], [upper, to] = []] = terms as [[string, number], [string, number]?];
  if (upper !== undefined && !(lower.startsWith('>') && upper.startsWith('<') && from < (to as number)))
    throw fault(`a numeric range has its lower bound first, below its upper one${at(path)}`);
  return (leaf) =>
    typeof leaf === 'number' &&
    (terms as [string, number][]).every(([name, bound]) => COMPARISONS[name]?.(leaf, bound));
}

function cidr(operand: unknown, path: string): Test {
  const [, address = '', bits = ''] = /^([^/]+)\/(\d{1,3})$/.exec(String(operand)) ?? [];
  const version = isIP(address);
  if (version === 0 || Number(bits) > (version === 4 ? 32 : 128))
    throw fault(`the value of cidr must be a block such as 10.0.0.0/24${at(path)}`);
  const block = new BlockList();
  block.addSubnet(address, Number(bits), `ipv${version as 4 | 6}`);
  return onText((text) => isIP(text) === version && block.check(text, `ipv${version as 4 | 6}`));
}

/** `*` stands for any characters, `\*` for itself and `\\` for a backslash; it takes no more than one pass. */
function wildcard(operand: string, path: string): TextTest {
  if (/\\(?![\\*])/.test(operand.replaceAll('\\\\', '')))
    throw fault(`in a wildcard, a backslash stands before * or another backslash${at(path)}`);
  const parts = [''];
  for (const [token] of operand.matchAll(/\\[\\*]|\*|[^\\*]+/g)) {
    if (token !== '*') parts[parts.length - 1] += token.replace(/^\\/, '');
    else if (parts.length > 1 && parts.at(-1) === '')
      throw fault(`consecutive wildcard characters are not allowed${at(path)}`);
    else parts.push('');
  }
  const [first = '', ...rest] = parts;
  const last = rest.pop();
  if (last === undefined) return (text) => text === first;
  return (text) => {
    let from = first.length;
    if (!text.startsWith(first)) return false;
    for (const part of rest) {
      const found = text.indexOf(part, from);
      if (found < 0) return false;
      from = found + part.length;
    }
    return text.length - last.length >= from && text.endsWith(last);
  };
}
