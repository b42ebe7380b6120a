import { invalid } from '../failure.ts';
import { checkKey } from '../strict-json.ts';

/**
 * Parses a form (`application/x-www-form-urlencoded`) into an object; a repeated name becomes an array, in order.
 *
 * @throws Failure `invalid_request` if a name or value is not percent-encoded UTF-8
 */
export function formToJson(form: string): Record<string, string | string[]> {
  const fields = new Map<string, string | string[]>();
  for (const pair of form.split('&')) {
    if (pair === '') continue;
    const split = pair.indexOf('=');
    const name = decode(split < 0 ? pair : pair.slice(0, split));
    const value = split < 0 ? '' : decode(pair.slice(split + 1));
    checkKey(name);
    const before = fields.get(name);
    if (before === undefined) fields.set(name, value);
    else if (Array.isArray(before)) before.push(value);
    else fields.set(name, [before, value]);
  }
  return Object.fromEntries(fields);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalid('body', 'Must be a form in percent-encoded UTF-8');
  }
}
