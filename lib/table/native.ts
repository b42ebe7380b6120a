import type { AttributeValue } from '@aws-sdk/client-dynamodb';

/** An item as plain data; the table holds neither binary values, nor sets, and numbers only that JavaScript holds exactly. */
export function fromItem(item: Readonly<Record<string, AttributeValue>>): Record<string, unknown> {
  const native: Record<string, unknown> = {};
  for (const name in item) native[name] = fromValue(item[name] as AttributeValue);
  return native;
}

/** @throws Error for a kind of value that the table does not hold */
function fromValue({ S, N, BOOL, NULL, L, M }: AttributeValue): unknown {
  if (S !== undefined) return S;
  if (N !== undefined) return Number(N);
  if (BOOL !== undefined) return BOOL;
  if (NULL !== undefined) return null;
  if (L !== undefined) return L.map(fromValue);
  if (M !== undefined) return fromItem(M);
  throw new Error('An item holds a binary value or a set');
}

/** Members of a request to DynamoDB that hold items, keys or values of an expression. */
type Plain<Input> = Omit<Input, 'Key' | 'Keys' | 'Item' | 'ExpressionAttributeValues'> & {
  readonly Key?: Attributes | undefined;
  readonly Item?: Attributes | undefined;
  readonly ExpressionAttributeValues?: Attributes | undefined;
};

type Attributes = Readonly<Record<string, unknown>>;

/** A request as DynamoDB takes it, of one that holds plain data. */
export function toRequest<Input>({ Key, Item, ExpressionAttributeValues, ...others }: Plain<Input>): Input {
  return {
    ...others,
    ...(Key && { Key: toItem(Key) }),
    ...(Item && { Item: toItem(Item) }),
    ...(ExpressionAttributeValues && { ExpressionAttributeValues: toItem(ExpressionAttributeValues) }),
  } as Input;
}

/**
 * Plain data as an item; what is undefined is left out.
 *
 * @throws Error for what the table does not hold: {@link fromItem} would not give it back
 */
export function toItem(native: Attributes): Record<string, AttributeValue> {
  const item: Record<string, AttributeValue> = {};
  for (const [name, value] of Object.entries(native)) if (value !== undefined) item[name] = toValue(value);
  return item;
}

function toValue(value: unknown): AttributeValue {
  if (value === null) return { NULL: true };
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'boolean') return { BOOL: value };
  if (typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER) return { N: String(value) };
  if (Array.isArray(value)) return { L: value.filter((one) => one !== undefined).map(toValue) };
  if (typeof value === 'object' && isPlain(value)) return { M: toItem(value as Attributes) };
  throw new Error(
    'Items hold plain data: no binary values, sets or times, and no numbers beyond those that are exact',
  );
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
