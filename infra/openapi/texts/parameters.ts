import { PROFILE_PARTS } from '#lib/account/profile/schema';
import headers from './headers.json' with { type: 'json' };
import parameters from './parameters.json' with { type: 'json' };

/** Descriptions of path and query parameters. */
export const PARAMETERS: Readonly<
  Record<string, { readonly description: string; readonly example?: unknown }>
> = parameters;

/** Types of the parameters whose texts a client writes as other values. */
export const TYPES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  limit: { type: 'integer', minimum: 1, maximum: 10_000 },
  n: { type: 'integer', minimum: 0, maximum: 10_000 },
  never_used: { type: 'boolean' },
  pscope: { type: 'array', items: { type: 'string', enum: PROFILE_PARTS } },
  setup: { type: 'boolean', default: false },
};

/** Headers of requests and of responses, by their names in lower case. */
export const HEADERS: Readonly<Record<'request' | 'response', Readonly<Record<string, string>>>> = headers;
