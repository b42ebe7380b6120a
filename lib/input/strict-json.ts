import { invalid } from '../failure/failure.ts';
import { redact } from '../log/redact.ts';

export const MAX_DEPTH = 64;
/** More than any accepted body has. The parsers after this check take a microsecond a value. */
export const MAX_JSON_TOKENS = 70_000;
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor']);

/** @throws Failure `invalid_request` for a key that could reach a prototype */
export function checkKey(key: string): void {
  if (FORBIDDEN_KEYS.has(key)) throw invalid(key, 'This property name is not allowed');
}

/** @throws Failure `invalid_request` for text with half a surrogate pair, which has no UTF-8 */
function checkWellFormed(text: string): void {
  if (!text.isWellFormed()) throw invalid('body', 'Strings must be well-formed Unicode');
}

/**
 * Strings and structural punctuation of JSON; numbers and literals are skipped. An unclosed string matches to its end: a
 * search from each of its quotes would take quadratic time.
 */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"?|[{}[\],:]/gs;

/**
 * Refuses JSON that `JSON.parse` accepts: deep nesting, many tokens, duplicate or dangerous keys, and strings that are not
 * well-formed Unicode (RFC 8259 sections 4, 8.2 and 9). The parser checks the syntax afterwards.
 *
 * @throws Failure `invalid_request`
 */
export function checkStrictJson(text: string): void {
  const open: (Set<string> | null)[] = [];
  let keyIsNext = false;
  let tokens = 0;
  for (const [token] of text.matchAll(TOKEN)) {
    if (++tokens > MAX_JSON_TOKENS) throw invalid('body', 'Has too many names and values');
    if (token.startsWith('"')) {
      const [string, keys] = [decode(token), open.at(-1)];
      checkWellFormed(string);
      if (!keys || !keyIsNext) continue;
      checkKey(string);
      if (keys.has(string)) throw invalid(redact(string), 'Property names must not be repeated');
      keys.add(string);
    } else {
      keyIsNext = token !== ':';
      if (token === '}' || token === ']') open.pop();
      else if (token === '{' || token === '[') open.push(token === '{' ? new Set() : null);
      if (open.length > MAX_DEPTH) throw invalid('body', `Nesting must be at most ${MAX_DEPTH} deep`);
    }
  }
}

function decode(token: string): string {
  try {
    return JSON.parse(token) as string;
  } catch {
    throw invalid('body', 'Must be well-formed JSON');
  }
}
