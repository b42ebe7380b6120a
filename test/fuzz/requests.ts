import * as fc from 'fast-check';
import * as z from 'zod/mini';
import type { Contract } from '#lib/contract/contract';
import { contracts, type Route, routesOf } from '#lib/routes';
import * as pieces from './pieces.ts';
import { anyText, HOLDERS, KNOWN, mostly } from './pieces.ts';

/** A request as it is sent; `{{...}}` replaces parts that differ from run to run: credentials, ids. */
export interface FuzzRequest {
  readonly method: string;
  /** Path and query, as they are in the request line. */
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: { readonly text: string; readonly encoding?: 'utf8' | 'base64' };
  /** The account whose valid credential it presents. */
  readonly as?: string;
}

interface JsonSchema {
  readonly type?: string;
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly pattern?: string;
  readonly maxLength?: number;
}

/** Values that a schema of a contract accepts, by its JSON Schema. */
const accepted = (schema: Contract['body']): fc.Arbitrary<object> =>
  fromSchema(schema ? z.toJSONSchema(schema(), { io: 'input', unrepresentable: 'any' }) : { type: 'object' });

function fromSchema(json: object, name = ''): fc.Arbitrary<object> {
  const { type, properties = {}, required = [], pattern, maxLength = 40, ...rest } = json as JsonSchema;
  const values = (): fc.Arbitrary<unknown> => {
    if (KNOWN[name]) return KNOWN[name];
    if ('const' in rest) return fc.constant(rest.const);
    if (type === 'boolean') return fc.boolean();
    if (pattern) return fc.stringMatching(new RegExp(pattern, 'u'), { maxLength: 100 });
    if (type === 'string') return fc.string({ unit: 'grapheme', maxLength: Math.min(maxLength, 40) });
    if (type !== 'object') return fc.jsonValue({ maxDepth: 3 });
    const model = Object.entries(properties).map(([key, each]) => [key, fromSchema(each, key)]);
    return fc.record(Object.fromEntries(model), { requiredKeys: [...required] as never[] });
  };
  return values() as fc.Arbitrary<object>;
}

const percent = (text: string) =>
  encodeURIComponent(text.toWellFormed()).replaceAll('%7B%7B', '{{').replaceAll('%7D%7D', '}}');
const everyByte = (text: string) => [...Buffer.from(text)].map((byte) => `%${byte.toString(16)}`).join('');

/** A value in the path or the query, and how else it could be spelled. */
const spelled = (value: fc.Arbitrary<string>, times: number) =>
  mostly(
    times,
    value.map(percent),
    value.map(everyByte),
    value.map((text) => percent(text).toUpperCase()),
    value.map((text) => percent(percent(text))),
    fc.tuple(value, pieces.ends).map(([text, end]) => percent(text) + end),
    pieces.instead,
    anyText.map(percent),
  );

function pathOf({ path, contract: { params } }: Route): fc.Arbitrary<string> {
  const segments = path
    .slice(1)
    .split('/')
    .map((segment) => {
      const name = /^\{(\w+)\}$/.exec(segment)?.[1];
      if (name === undefined) return mostly(400, fc.constant(segment), anyText.map(percent));
      const all = accepted(params) as fc.Arbitrary<Record<string, string>>;
      return spelled(
        all.map((values) => values[name] ?? 'x'),
        60,
      );
    });
  return fc.tuple(...segments).map((all) => `/${all.join('/')}`);
}

function queryOf({ query, id }: Contract): fc.Arbitrary<string[]> {
  const good = accepted(query).chain((all) => {
    const pairs = Object.entries(all).map(([name, value]) =>
      spelled(fc.constant(String(value)), 30).map((text) => `${name}=${text}`),
    );
    return fc.tuple(...pairs);
  });
  const stray = fc.tuple(good, pieces.strayQuery).map(([all, one]) => [...all, one]);
  const twice = good.map((all) => [...all, ...all]);
  return mostly(id === 'system.ping' ? 2 : 12, good, stray, stray, twice);
}

type Body = FuzzRequest['body'];

function bodyOf({ body }: Contract): fc.Arbitrary<Body> {
  const object = accepted(body);
  const text = (value: fc.Arbitrary<unknown>): fc.Arbitrary<NonNullable<Body>> =>
    value.map((one) => ({ text: JSON.stringify(one) ?? 'null' }));
  const names = object.map((all) => Object.keys(all ?? {})[0] ?? 'x');
  const changed = fc
    .tuple(object, fc.oneof(names, anyText), pieces.junk)
    .map(([all, name, value]) => ({ ...all, [name]: value }));
  const damaged = fc
    .tuple(text(object), fc.constantFrom(...pieces.damages))
    .map(([{ text }, damage]) => ({ text: damage(text) }));
  const bytes = fc
    .uint8Array({ maxLength: 40 })
    .map((all) => ({ text: Buffer.from(all).toString('base64'), encoding: 'base64' as const }));
  const nothing = fc.constant<Body>(undefined);
  const bad = [text(changed), text(pieces.junk), damaged, bytes];
  return body ? mostly(2, text(object), ...bad, nothing) : mostly(25, nothing, ...bad);
}

/** Headers and parameters, of lines as in {@link pieces.goodCredentials}. */
function parsed(lines: readonly string[]) {
  const parts = lines
    .flatMap((line) => line.split(' && '))
    .map((part) => [part.slice(0, part.indexOf(': ')), part.slice(part.indexOf(': ') + 2)] as const);
  const isParameter = ([name]: readonly [string, string]) => name.startsWith('?');
  return {
    headers: parts.filter((part) => !isParameter(part)),
    query: parts.filter(isParameter).map(([name, value]) => `${name.slice(1)}=${value}`),
  };
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE'];

const requestOf = (route: Route): fc.Arbitrary<FuzzRequest> =>
  fc
    .record({
      as: fc.constantFrom(
        ...(typeof route.contract.access === 'object' ? ['boss'] : []),
        ...Object.keys(HOLDERS),
      ),
      method: mostly<string>(30, fc.constant(route.method), fc.constantFrom(...METHODS)),
      path: pathOf(route),
      query: queryOf(route.contract),
      credential: mostly(
        5,
        fc.constantFrom(...pieces.goodCredentials),
        fc.constantFrom(...pieces.badCredentials),
      ),
      body: bodyOf(route.contract),
      type: mostly(15, fc.constant('application/json'), pieces.contentTypes),
      stray: mostly<string[]>(
        3,
        fc.constant([]),
        fc.array(fc.constantFrom(...pieces.strayHeaders), { maxLength: 4 }),
      ),
    })
    .map(({ as, method, path, query, credential, body, type, stray }) => {
      const { headers, query: presented } = parsed([
        credential,
        ...(body ? [`Content-Type: ${type}`] : []),
        ...stray,
      ]);
      const all = [...query, ...presented].join('&');
      const request = { method, target: path + (all && `?${all}`), headers, ...(body ? { body } : {}) };
      const own = JSON.stringify(request).replaceAll('{{self}}', as).replaceAll('.self}}', `.${as}}}`);
      const isGood = pieces.goodCredentials.includes(credential) && stray.length === 0;
      return { ...JSON.parse(own), ...(isGood ? { as } : {}) };
    });

/** Requests of all endpoints alike: valid ones, and valid ones with changed pieces. */
export const requests: fc.Arbitrary<FuzzRequest> = fc.oneof(
  ...contracts.map((contract) => fc.oneof(...routesOf(contract).map(requestOf))),
);
