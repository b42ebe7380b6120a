type Condition = Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;

/** A statement of an identity-based policy of IAM. */
export interface Statement {
  readonly Effect: 'Allow' | 'Deny';
  readonly Action: readonly string[];
  readonly Resource: readonly string[];
  readonly Condition?: Condition;
}

/** An action on a resource, with its values for conditions, by condition key. */
export interface IamRequest {
  readonly action: string;
  readonly resource: string;
  readonly context: Readonly<Record<string, readonly string[]>>;
}

/** Whether a statement allows a request and no statement denies it. */
export function isAllowed(statements: readonly Statement[], request: IamRequest): boolean {
  const applying = statements.filter((statement) => applies(statement, request));
  return applying.length > 0 && applying.every(({ Effect }) => Effect === 'Allow');
}

const applies = (
  { Action, Resource, Condition = {} }: Statement,
  { action, resource, context }: IamRequest,
) =>
  Action.some((pattern) => isLike(action, pattern)) &&
  Resource.some((pattern) => isLike(resource, pattern)) &&
  Object.entries(Condition).every(([operator, keys]) =>
    Object.entries(keys).every(([key, wanted]) => holds(operator, [wanted].flat(), context[key] ?? [])),
  );

const COMPARE: Readonly<Record<string, (value: string, wanted: string) => boolean>> = {
  StringEquals: (value, wanted) => value === wanted,
  StringLike: (value, wanted) => isLike(value, wanted),
  StringNotLike: (value, wanted) => !isLike(value, wanted),
};

/**
 * Whether the values of a key satisfy a condition.
 *
 * @throws Error for an unknown operator
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-logic-multiple-context-keys-or-values.html
 */
function holds(operator: string, wanted: readonly string[], values: readonly string[]): boolean {
  if (operator === 'Null') return wanted.includes(String(values.length === 0));
  const [name = '', quantifier] = operator.split(':').reverse();
  const compare = COMPARE[name];
  if (!compare) throw new Error(`The local instance does not support the IAM condition ${operator}.`);
  const matches = (value: string) => wanted.some((each) => compare(value, each));
  if (quantifier === 'ForAllValues') return values.every(matches);
  if (quantifier === 'ForAnyValue') return values.some(matches);
  return values.length === 1 && values.every(matches);
}

/** Compiled patterns: policies repeat some hundred of them, and to compile one takes longer than to match. */
const compiled = new Map<string, RegExp>();

/** Whether a value matches a pattern of a policy: `*` matches any text, `?` any character. */
export function isLike(value: string, pattern: string): boolean {
  if (!/[*?]/.test(pattern)) return value === pattern;
  const known = compiled.get(pattern);
  if (known) return known.test(value);
  const source = RegExp.escape(pattern).replaceAll('\\*', '.*').replaceAll('\\?', '.');
  compiled.set(pattern, new RegExp(`^${source}$`, 's'));
  return isLike(value, pattern);
}
