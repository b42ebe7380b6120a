import { invalid } from '../failure/failure.ts';
import { checkKey } from '../input/strict-json.ts';
import { redact } from '../log/redact.ts';

/**
 * Parses a form (`application/x-www-form-urlencoded`) into an object; a repeated name becomes an array, in order.
 *
 * @param repeatable names that may be repeated; all by default
 * @throws Failure `invalid_request` if a name or value is not percent-encoded UTF-8
 */
export function formToJson(form: string, repeatable?: readonly string[]): Record<string, string | string[]> {
  checkEncoding(form);
  const fields = Map.groupBy(new URLSearchParams(`?${form}`), ([name]) => name);
  const entries = [...fields].map(([name, pairs]) => {
    checkKey(name);
    if (repeatable?.includes(name) === false && pairs.length > 1)
      throw invalid(redact(name), 'Must be sent once');
    const [value = '', ...others] = pairs.map(([, each]) => each);
    return [name, others.length > 0 ? [value, ...others] : value] as const;
  });
  return Object.fromEntries(entries);
}

/** `URLSearchParams` would replace what is no UTF-8. */
function checkEncoding(form: string): void {
  try {
    decodeURIComponent(form);
  } catch {
    throw invalid('body', 'Must be a form in percent-encoded UTF-8');
  }
}
