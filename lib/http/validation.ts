import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';
import { parse } from '../parse.ts';
import type { EndpointMiddleware } from './request.ts';

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
