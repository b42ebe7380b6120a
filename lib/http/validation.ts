import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';
import { invalid } from '../failure/failure.ts';
import { parse } from '../input/parse.ts';
import { checkBatch } from './batch.ts';
import type { EndpointMiddleware } from './request.ts';

/** Whether the percent-encoded bytes of a query are UTF-8; a `%` that encodes none stands for itself, as in forms. */
function isUtf8(rawQueryString: string): boolean {
  try {
    decodeURIComponent(rawQueryString.replace(/%(?![\da-f]{2})/gi, '%25'));
    return true;
  } catch {
    return false;
  }
}

/**
 * Checks parameters, query, headers and body against the contract. Unknown query parameters are refused by name, except
 * `ptoken`, which is a credential, and known ones that are repeated. Any request may carry the headers of a batch.
 */
export function validation(contract: Contract): EndpointMiddleware {
  const params = contract.params?.() ?? z.object({});
  // Links to pages get parameters from other programs.
  const query = contract.query?.() ?? (contract.forPeople ? z.object({}) : z.strictObject({}));
  const known = Object.keys(query.shape);
  const headers = contract.requestHeaders?.();
  const body = contract.body?.();
  return {
    before: ({ event: context }) => {
      const { event } = context;
      const path = parse(params, event.pathParameters ?? {});
      if (!isUtf8(event.rawQueryString)) throw invalid('query', 'Must be percent-encoded UTF-8');
      const sent = [...new URLSearchParams(event.rawQueryString).keys()];
      // The gateway joins their values with commas.
      const repeated = known.find((name) => sent.indexOf(name) !== sent.lastIndexOf(name));
      if (repeated) throw invalid(repeated, 'Must be sent once');
      const { ptoken: _, ...queried } = event.queryStringParameters ?? {};
      checkBatch(event);
      context.input = {
        params: path,
        query: parse(query, queried, 'Unknown parameter'),
        headers: headers ? parse(headers, event.headers) : {},
        body: body && parse(body, context.body),
      };
    },
  };
}
