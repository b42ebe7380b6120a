import { en } from 'zod/locales';
import * as z from 'zod/mini';
import type { Contract } from './contract.ts';
import { Failure, type FieldError } from './failure.ts';
import type { EndpointMiddleware } from './request.ts';

z.config(en());

/** Checks parameters, query and body against the contract. */
export function validation(contract: Contract): EndpointMiddleware {
  const params = contract.params?.() ?? z.object({});
  const query = contract.query?.() ?? z.object({});
  const body = contract.body?.();
  return {
    before: ({ event }) => {
      event.params = parse(params, event.pathParameters ?? {});
      event.query = parse(query, event.queryStringParameters ?? {});
      if (body) event.body = parse(body, event.body);
    },
  };
}

/** @throws Failure `invalid_request` that names every field at fault */
export function parse<T extends z.ZodMiniType>(schema: T, input: unknown): z.output<T> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw new Failure('invalid_request', { errors: result.error.issues.flatMap(fieldErrors) });
}

function fieldErrors(issue: z.core.$ZodIssue): FieldError[] {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ field: [...path, key].join('.'), message: 'Unknown property' }));
  return [{ field: path.join('.') || 'body', message: issue.message }];
}
