import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { Failure, type FieldError } from '#lib/failure';
import { booleanText, parse } from '#lib/parse';

function errorsOf(schema: z.ZodMiniType, input: unknown): readonly FieldError[] | undefined {
  try {
    parse(schema, input);
  } catch (error) {
    expect(error).toBeInstanceOf(Failure);
    expect(error).toMatchObject({ code: 'invalid_request' });
    return (error as Failure).errors;
  }
  return undefined;
}

const schema = z.strictObject({
  name: z.string(),
  list: z.optional(z.array(z.strictObject({ n: z.int('Must be whole') }))),
});

describe('what is at fault is told', () => {
  test.each<[string, unknown, FieldError[]]>([
    ['a missing field', {}, [{ field: 'name', message: 'Is required' }]],
    [
      'a field of another type',
      { name: 1 },
      [{ field: 'name', message: 'Invalid input: expected string, received number' }],
    ],
    [
      'a field deep inside',
      { name: '', list: [{ n: 1 }, { n: 1.5 }] },
      [{ field: 'list.1.n', message: 'Must be whole' }],
    ],
    [
      'unknown properties',
      { name: '', x: 1, y: 2 },
      [
        { field: 'x', message: 'Unknown property' },
        { field: 'y', message: 'Unknown property' },
      ],
    ],
    [
      'an unknown property deep inside',
      { name: '', list: [{ n: 1, x: 1 }] },
      [{ field: 'list.0.x', message: 'Unknown property' }],
    ],
    ['no input', undefined, [{ field: 'body', message: 'Is required' }]],
    ['another input', [], [{ field: 'body', message: 'Invalid input: expected object, received array' }]],
  ])('%s', (_what, input, errors) => {
    expect(errorsOf(schema, input)).toEqual(errors);
  });

  test('up to a hundred faults', () => {
    const faults = (count: number) => errorsOf(z.array(z.string()), Array(count).fill(0));
    expect(faults(99)).toHaveLength(99);
    expect(faults(100)).toHaveLength(100);
    expect(faults(101)).toEqual(faults(100));
    expect(faults(101)?.at(-1)?.field).toBe('99');
  });

  test('up to a hundred unknown properties', () => {
    const unknown = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`p${n}`, n]));
    expect(errorsOf(schema, { name: '', ...unknown })).toHaveLength(100);
  });
});

describe('a boolean as text', () => {
  test('is true or false', () => {
    expect([parse(booleanText(), 'true'), parse(booleanText(), 'false')]).toEqual([true, false]);
  });

  test.each(['', 'True', '1', 'yes', true, undefined])('is not %j', (text) => {
    expect(errorsOf(booleanText('Must be true or false'), text)).toEqual([
      { field: 'body', message: 'Must be true or false' },
    ]);
  });
});
