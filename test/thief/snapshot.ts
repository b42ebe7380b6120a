import { SIGNED } from '../wire/dynamodb-proxy.ts';

/** Everything in the table: items as JSON, by their keys. States share the texts of items that are the same. */
export type Snapshot = ReadonlyMap<string, string>;

type Item = Readonly<Record<string, { readonly S?: string }>>;

const MAX_BATCH = 25;

/** Kinds of items that no rule of access reads, or that only limit attempts. */
const PASSING = /^(ATTEMPTS#|STATS|SLICE#|SPENT#|OUTBOX|EXPIRING#|AUDIT#)/;
export const isPassing = (key: string) => PASSING.test(key);

const keyOf = ({ PK, SK }: Item) => `${PK?.S}\n${SK?.S}`;

const sorted = (item: Item) =>
  Object.fromEntries(Object.entries(item).sort(([one], [other]) => (one < other ? -1 : 1)));

/** Takes and restores the content of the table of an engine, over the wire: the SDK would take longer than the engine. */
export function snapshotsOf(url: string, table: string) {
  const texts = new Map<string, string>();
  const interned = (text: string): string => {
    const known = texts.get(text) ?? text;
    texts.set(known, known);
    return known;
  };
  let present: Snapshot = new Map();

  async function call(operation: string, input: object) {
    const headers = {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `DynamoDB_20120810.${operation}`,
      ...SIGNED,
    };
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(input) });
    const output = (await answer.json()) as { Items?: Item[]; LastEvaluatedKey?: Item };
    if (!answer.ok) throw new Error(`${operation}: ${JSON.stringify(output)}`);
    return output;
  }

  return {
    async write(key: string, values: readonly (readonly [string, unknown])[]): Promise<void> {
      const [PK = '', SK = ''] = key.split('\n');
      const named = values.map(([name, value], n) => ({ name, value, n }));
      const parts = (word: string, part: typeof named, text: (n: number) => string) =>
        part.length > 0 ? `${word} ${part.map(({ n }) => text(n)).join(', ')} ` : '';
      const set = named.filter(({ value }) => value !== undefined);
      await call('UpdateItem', {
        TableName: table,
        Key: { PK: { S: PK }, SK: { S: SK } },
        UpdateExpression: `${parts('SET', set, (n) => `#${n} = :${n}`)}${parts(
          'REMOVE',
          named.filter(({ value }) => value === undefined),
          (n) => `#${n}`,
        )}`,
        ExpressionAttributeNames: Object.fromEntries(named.map(({ name, n }) => [`#${n}`, name])),
        ...(set.length > 0 && {
          ExpressionAttributeValues: Object.fromEntries(set.map(({ value, n }) => [`:${n}`, value])),
        }),
      });
    },
    async take(): Promise<Snapshot> {
      const all = new Map<string, string>();
      let ExclusiveStartKey: Item | undefined;
      do {
        const page = await call('Scan', { TableName: table, ExclusiveStartKey });
        for (const item of page.Items ?? [])
          all.set(interned(keyOf(item)), interned(JSON.stringify(sorted(item))));
        ExclusiveStartKey = page.LastEvaluatedKey;
      } while (ExclusiveStartKey);
      present = all;
      return all;
    },
    /** Restores a content, by the differences from the present one. */
    async restore(to: Snapshot): Promise<void> {
      const puts = [...to].filter(([key, text]) => present.get(key) !== text);
      const deletions = [...present.keys()].filter((key) => !to.has(key));
      const requests = [
        ...puts.map(([, text]) => ({ PutRequest: { Item: JSON.parse(text) as Item } })),
        ...deletions.map((key) => {
          const [PK = '', SK = ''] = key.split('\n');
          return { DeleteRequest: { Key: { PK: { S: PK }, SK: { S: SK } } } };
        }),
      ];
      for (let at = 0; at < requests.length; at += MAX_BATCH)
        await call('BatchWriteItem', { RequestItems: { [table]: requests.slice(at, at + MAX_BATCH) } });
      present = to;
    },
  };
}
