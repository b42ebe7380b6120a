import type { ParameterText } from '#lib/texts';
import headers from './headers.json' with { type: 'json' };
import parameters from './parameters.json' with { type: 'json' };

/** Descriptions of the path and query parameters of many endpoints. */
export const PARAMETERS: Readonly<Record<string, Exclude<ParameterText, string>>> = parameters;

/** Headers of requests and of responses, by their names in lower case. */
export const HEADERS: Readonly<Record<'request' | 'response', Readonly<Record<string, string>>>> = headers;
