import { isJsonObject } from '../../input/exact-json.ts';
import { importable, isForPeople } from './columns.ts';
import { DAMAGED, type FileLine, faultIn, isDamaged, strictJson, wrong } from './line.ts';

/** Reads the accounts of JSON lines. */
export async function* jsonLines(parts: AsyncIterable<string>): AsyncGenerator<FileLine> {
  const known = new Set(importable());
  let line = 0;
  for await (const part of parts)
    for (const text of part.replace(/\n$/, '').split('\n')) {
      line += 1;
      if (text.trim() !== '') yield { line, text, ...ofJson(text, known) };
    }
}

function ofJson(json: string, known: ReadonlySet<string>): Pick<FileLine, 'value' | 'errors'> {
  if (isDamaged(json)) return wrong(DAMAGED);
  try {
    const value = strictJson(json);
    if (!isJsonObject(value)) return wrong('Must be an object');
    // Names may be values in the wrong place: faults have only their positions.
    const errors = Object.keys(value).flatMap((name, index) =>
      known.has(name) || isForPeople(name)
        ? []
        : [{ field: `property ${index + 1}`, message: 'Is not a property of an account' }],
    );
    if (errors.length > 0) return { errors };
    return { value: Object.fromEntries(Object.entries(value).filter(([name]) => !isForPeople(name))) };
  } catch (error) {
    const position = isBroken('x') ? `: see column ${columnOf(json)}` : '';
    return wrong(faultIn(error) ?? `Must be JSON${position}`);
  }
}

/** The column of a syntax error, by bisection: some messages of V8 quote the text and have no position. */
function columnOf(json: string, before = 0, last = json.length + 1): number {
  if (last - before === 1) return last;
  const middle = Math.floor((before + last) / 2);
  return isBroken(json.slice(0, middle)) ? columnOf(json, before, middle) : columnOf(json, middle, last);
}

/** Whether a text is neither JSON nor the beginning of JSON; other engines than V8 do not report it. */
function isBroken(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    const { message } = error as Error;
    return (
      message.startsWith('Unexpected token') || Number(/position (\d+)/.exec(message)?.[1]) < text.length
    );
  }
}
