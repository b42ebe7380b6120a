type Line = Readonly<Record<string, unknown>>;

/**
 * Whether a line of JSON matches a pattern of CloudWatch Logs, for the patterns in use: comparisons of a
 * property with a text, which may have wildcards, or with a number, joined by `&&`, by `||`, or by `||` in parentheses.
 *
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntax.html
 * @throws Error for a pattern that is written otherwise
 */
export function matches(pattern: string, line: Line): boolean {
  const [, inner = ''] = /^\{ (.+) \}$/.exec(pattern) ?? [];
  const isAny = (terms: string) => terms.split(' || ').some((term) => holds(term, line));
  return inner.split(' && ').every((terms) => isAny(terms.replace(/^\((.*)\)$/, '$1')));
}

function holds(term: string, line: Line): boolean {
  const [, name = '', operator, text, number] =
    /^\$\.(\w+) (=|!=|>=|>|<=) (?:"(.*)"|(\d+))$/.exec(term) ?? [];
  if (!operator) throw new Error(`${term} is no comparison`);
  const value = line[name];
  if (number !== undefined) return compare(operator, value, Number(number));
  if (typeof value !== 'string' || text === undefined) return false;
  const parts = text.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(value) === (operator === '=');
}

const COMPARISONS: Readonly<Record<string, (value: number, number: number) => boolean>> = {
  '=': (value, number) => value === number,
  '!=': (value, number) => value !== number,
  '>': (value, number) => value > number,
  '>=': (value, number) => value >= number,
  '<=': (value, number) => value <= number,
};

const compare = (operator: string, value: unknown, number: number): boolean =>
  typeof value === 'number' && (COMPARISONS[operator]?.(value, number) ?? false);
