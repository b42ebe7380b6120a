import type { AttributeValue } from '@aws-sdk/client-dynamodb';

/** An item as plain data; the table holds neither binary values, nor sets, nor numbers beyond those of JavaScript. */
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
