import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { MAX_TEAMS } from '#lib/account/maxima';
import { MAX_TOKENS } from '#lib/account/tokens/count';
import { ALL_EVENTS, exampleOf } from '#lib/event/events';
import { FAILURES, type FailureCode } from '#lib/failure/codes';
import * as every from '#lib/routes';
import type { SchemaTexts } from '#lib/texts';
import recorded from '../../infra/openapi/examples.json' with { type: 'json' };
import { CODES, failuresOf } from '../../infra/openapi/failures.ts';
import { operationIdOf } from '../../infra/openapi/operation.ts';
import { isConditional } from '../../infra/openapi/responses.ts';
import { openApi } from '../../infra/openapi.ts';
import { faultAt } from '../openapi/checked.ts';
import { STALE } from '../stale.ts';

/** The OpenAPI document does not describe the page of the documentation. */
const contracts = every.contracts.filter(({ forPeople }) => !forPeople);
const routes = every.routes.filter(({ contract }) => !contract.forPeople);

type Json = Record<string, unknown>;

type Examples = Record<string, { value: unknown }>;

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly deprecated?: boolean;
  readonly security: Json[];
  readonly parameters: { name: string; in: string; description?: string; schema: Json }[];
  readonly requestBody?: { content: Readonly<Record<string, { schema: Json; example?: unknown }>> };
  readonly responses: Record<string, { content?: Record<string, { example?: unknown; examples?: object }> }>;
}

const document = JSON.parse(JSON.stringify(openApi())) as {
  info: { description: string };
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: {
    schemas: Record<string, Json>;
    responses: Record<string, { content: { 'application/json': { examples?: Examples } } }>;
    securitySchemes: Json;
  };
};
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
);
const idsThat = (holds: (operation: Operation) => boolean) =>
  operations.filter(holds).map(({ operationId }) => operationId);

/** Every object in the document, with the path that leads to it; what is recorded is no part of the description. */
function* nodes(node: unknown, path: readonly string[] = []): Generator<[Json, readonly string[]]> {
  if (typeof node !== 'object' || node === null) return;
  if (!Array.isArray(node)) yield [node as Json, path];
  for (const [name, value] of Object.entries(node))
    if (!/^examples?$/.test(name)) yield* nodes(value, [...path, name]);
}
const all = [...nodes(document)];

/** The paths of the nodes that satisfy a condition. */
const pathsOf = (holds: (node: Json, path: readonly string[]) => boolean) =>
  all.filter(([node, path]) => holds(node, path)).map(([, path]) => path.join('/'));

test('the OpenAPI document has an operation for each route, HEAD and further paths excepted, and no other', () => {
  const documented = operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  const described = routes.filter(
    ({ method, path, contract }) => method !== 'HEAD' && !contract.alsoAt?.includes(path),
  );
  expect(documented.sort()).toEqual(described.map(({ method, path }) => `${method} ${path}`).sort());
});

test('operation IDs are those of the contracts, with a suffix for methods and an optional parameter', () => {
  const ids = operations.map(({ operationId }) => operationId);
  expect(ids.toSorted()).toEqual([...new Set(ids)].sort());
  const others = ids.filter((id) => !contracts.some((contract) => contract.id === id));
  expect(others.sort()).toEqual([
    'account.context.by-username',
    'account.end-session.by-username',
    'account.export.by-username',
    'account.passkey-delete.by-username',
    'account.passkeys.by-username',
    'account.profile.by-username',
    'account.sessions.by-username',
    ...['delete', 'get', 'patch', 'post', 'put'].map((method) => `system.ping.${method}`),
  ]);
});

test('each operation, parameter, header, schema and field has a description', () => {
  const describable =
    /\/(parameters\/\d+|headers\/[\w-]+|properties\/[^/]+|securitySchemes\/\w+|responses\/\w+)$/;
  const silent = pathsOf((node, path) => {
    // Refinements and references are described elsewhere.
    if (path.includes('allOf') || node['$ref'] !== undefined) return false;
    return describable.test(`/${path.join('/')}`) && !/\S/.test(String(node['description'] ?? ''));
  });
  expect(silent).toEqual([]);
  for (const { summary, description } of operations) {
    expect(summary).toMatch(/^[A-Z]/);
    expect(description).toMatch(/^[A-Z].+\n\n\*\*Access:\*\* .+\.$/);
  }
  const titles = operations.map(({ summary }) => summary);
  expect(titles.toSorted()).toEqual([...new Set(titles)].sort());
});

test('each audited operation of a caller takes the headers of a batch', () => {
  const batched = operations.filter(({ parameters }) => /parameters.Batch"/.test(JSON.stringify(parameters)));
  const audited = contracts.filter(({ access, ...contract }) => 'audit' in contract && access !== 'public');
  expect([...new Set(batched.map(({ operationId }) => operationId.replace(/\.by-\w+$/, '')))].sort()).toEqual(
    audited.map(({ id }) => id).sort(),
  );
});

/** Names of all fields of a schema, at any depth. */
const fieldsIn = (schema: z.ZodMiniType, io: 'input' | 'output') =>
  [...nodes(z.toJSONSchema(schema, { io, unrepresentable: 'any' }))].flatMap(([{ properties = {} }]) =>
    Object.keys(properties as Json),
  );

/** Fields in texts about a schema that it does not have. */
function strangeIn(texts: SchemaTexts, io: 'input' | 'output', schema = texts.schema): string[] {
  const { fields = {}, parts = [] } = texts;
  const known = schema ? fieldsIn(schema(), io) : Object.keys(fields);
  const strange = Object.keys(fields).filter((field) => !known.includes(field) && field !== 'root');
  return [...strange, ...parts.flatMap((part) => strangeIn(part, io))];
}

test.each(contracts)('the texts of $id are about its own parameters and fields', (contract) => {
  const { params, query, body, response } = every.textsOf(contract);
  for (const [texts = {}, schema] of [
    [params, contract.params],
    [query, contract.query],
  ] as const) {
    const known = schema ? fieldsIn(schema(), 'input') : [];
    expect(Object.keys(texts).filter((name) => !known.includes(name))).toEqual([]);
  }
  expect(body ? strangeIn(body, 'input', contract.body ?? z.null) : []).toEqual([]);
  expect(response ? strangeIn(response, 'output', contract.response) : []).toEqual([]);
});

const answered = new Set<FailureCode>(contracts.flatMap(failuresOf));
const codes = Object.keys(FAILURES) as FailureCode[];

test('the codes of failures are the closed list, each with its meaning and a remedy', () => {
  expect(document.components.schemas['FailureData']).toMatchObject({ properties: { code: { enum: codes } } });
  expect(Object.keys(CODES).sort()).toEqual(codes.toSorted());
  for (const [name, { means, remedy }] of Object.entries(CODES)) {
    expect(means, name).toMatch(/^[A-Z].*[^.]$/);
    expect(remedy, name).toMatch(/^[A-Z`].*\.$/);
  }
  const ofCommandsAndPages = codes.filter((code) => !answered.has(code));
  expect(ofCommandsAndPages).toEqual(['admin_page_not_found']);
});

test('an operation has the statuses of its failures and of the gateway only', () => {
  const statusesOf = (id: string) =>
    Object.keys(operations.find(({ operationId }) => operationId === id)?.responses ?? {}).map(Number);
  for (const route of routes) {
    const own = failuresOf(route.contract).map((code) => FAILURES[code].status as number);
    const gateway = [429, ...(route.path.includes('{') ? [404] : [])];
    const expected = new Set([200, ...(isConditional(route.contract) ? [304] : []), ...own, ...gateway]);
    expect(statusesOf(operationIdOf(route)), route.path).toEqual([...expected].sort());
  }
  expect(statusesOf('account.login')).toEqual([200, 400, 401, 413, 415, 429, 500, 503]);
  expect(statusesOf('token.create')).toEqual([200, 400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503]);
});

test('the document has the limits of the service in place of their markers', () => {
  expect(document.info.description).toContain(`at most ${MAX_TOKENS} tokens, ${MAX_TEAMS} teams`);
  expect(JSON.stringify(document)).not.toContain('<!--');
});

test('the guide names existing endpoints, and each code that an operation answers', () => {
  const { description } = document.info;
  const named = [...description.matchAll(/`(GET|POST) (\/api\/core[^`?]*)`/g)];
  expect(named.length).toBeGreaterThan(8);
  for (const [, method = '', path = ''] of named)
    expect(document.paths[path]?.[method.toLowerCase()], `${method} ${path}`).toBeDefined();
  const rows = [...description.matchAll(/^### (\w+)\n\n\*\*(\d{3})\*\*:/gm)].map(
    ([, code, status]) => `${status} ${code}`,
  );
  expect(rows.sort()).toEqual([...answered].map((code) => `${FAILURES[code].status} ${code}`).sort());
});

test('bodies reject unknown properties, except where OAuth has them ignored, and answers may gain some', () => {
  const bodies = operations.flatMap(({ operationId, path, method, requestBody }) =>
    requestBody && !operationId.startsWith('system.ping') && operationId !== 'oauth.token'
      ? Object.entries(requestBody.content).map(([type, { schema }]) => {
          const inlined = `paths/${path}/${method}/requestBody/content/${type}/schema`;
          return schema['$ref'] ? String(schema['$ref']).slice('#/'.length) : inlined;
        })
      : [],
  );
  expect(bodies.length).toBeGreaterThanOrEqual(3);
  const closed = pathsOf((node) => node['additionalProperties'] === false);
  expect(closed.sort()).toEqual([...new Set([...bodies, 'components/schemas/AccessNames'])].sort());
});

test.each(ALL_EVENTS)('the webhook $type has an example with each field of the event', (event) => {
  const place = ['webhooks', event.type, 'post', 'requestBody', 'content', 'application/json', 'schema'];
  const { example } = document.webhooks[event.type]?.post.requestBody?.content['application/json'] ?? {};
  const { hook: _, ...detail } = exampleOf(event) as Json;
  expect(example).toMatchObject({ 'detail-type': event.type, detail });
  expect(faultAt(place, example)).toBeUndefined();
  expect(faultAt(place, { ...(example as Json), detail })).toContain('hook');
});

test('a generated client presents a session or a token, and neither in the URL', () => {
  const schemes = Object.keys(document.components.securitySchemes);
  expect(schemes).toEqual(['session', 'token', 'basic', 'cookie', 'query']);
  const open = contracts.filter(({ access }) => access === 'public').map(({ id }) => id);
  expect(idsThat(({ security }) => security.length === 0)).toEqual(open);
  for (const { security, operationId } of operations)
    if (security.length > 0)
      expect(security, operationId).toEqual([
        { session: [] },
        { token: [] },
        ...(['account.password', 'account.passkey-options'].includes(operationId) ? [{}] : []),
      ]);
  expect(document.info.description).toMatch(/operation accepts all five\. .*\bfirst two\b.*, so that/s);
});

test('a secret is a text when it is created and null when it is listed, and only system.info is deprecated', () => {
  expect(idsThat(({ deprecated }) => deprecated === true)).toEqual(['system.info']);
  const { CreatedToken, Token } = document.components.schemas;
  expect(CreatedToken).toMatchObject({ properties: { value: { type: 'string' } } });
  expect(Token).toMatchObject({ properties: { value: { const: null } } });
});

const queries = new Map(
  contracts.flatMap(({ query }) => Object.entries((query?.() as z.ZodMiniObject | undefined)?.shape ?? {})),
);

test.each<[name: string, valid: string[], invalid: string[]]>([
  ['limit', ['1', '10000'], ['0', '10001', '1.5', '-1', 'x', '']],
  ['n', ['0', '3', '10000'], ['-1', '10001', '1.5', 'x', '']],
  ['setup', ['true', 'false'], ['1', 'yes', '']],
  ['pscope', ['user', 'user,teams,roles', 'instance'], ['user,x', 'x']],
  [
    'cancelled_since',
    ['2026-11-20T05:30:00Z', '2026-11-20T05:30:00+01:00', '2026-11-20'],
    ['2026-11', '20.11.2026', 'x'],
  ],
])('the service accepts the documented values of %s only', (name, valid, invalid) => {
  const [[at, type] = []] = operations.flatMap(({ path, method, parameters }) => {
    const nth = parameters.findIndex((parameter) => parameter.name === name);
    const place = ['paths', path, method, 'parameters', nth, 'schema'];
    return nth < 0 ? [] : [[place, parameters[nth]?.schema['type']] as const];
  });
  const read = (text: string) => {
    if (type === 'array') return text.split(',');
    const isNumber = type === 'integer' && /^-?[\d.]+$/.test(text);
    return isNumber ? Number(text) : ({ true: true, false: false }[text] ?? text);
  };
  for (const text of [...valid, ...invalid]) {
    const fits = valid.includes(text);
    expect(faultAt(at as string[], read(text)) === undefined, `${text} as documented`).toBe(fits);
    expect(z.safeParse(queries.get(name) as z.ZodMiniType, text).success, `${text} as read`).toBe(fits);
  }
});

test('the examples include an answer of every operation except the document itself', () => {
  const without = operations.flatMap(({ operationId, responses: { 200: ok } }) =>
    Object.values(ok?.content ?? {}).every(
      ({ example, examples = {} }) => (example ?? Object.values(examples)[0]) !== undefined,
    )
      ? []
      : [operationId],
  );
  expect(without, STALE.record).toEqual(['docs.openapi']);
});

test('the examples name no account that may exist (RFC 2606)', () => {
  const named = [...JSON.stringify(recorded).matchAll(/"(?:username|actor|source|\w+_by)":"([^"]*)"/g)];
  expect(named.length).toBeGreaterThan(40);
  const others = named.flatMap(([, name = '']) =>
    /@example\.com$|^your\.username$/.test(name) ? [] : [name],
  );
  // The source of an audit entry is the address of a request, or the host of an operator.
  expect([...new Set(others)]).toEqual(['192.0.2.1', 'workstation']);
});

// test/infra/redocly.test.ts and spectral.slow.test.ts check that they satisfy their schemas.
test('the examples of errors satisfy their schemas, and no schema accepts another field or type', () => {
  for (const [name, { content }] of Object.entries(document.components.responses))
    for (const { value } of Object.values(content['application/json'].examples ?? {})) {
      const at = ['components', 'responses', name, 'content', 'application/json', 'schema'];
      expect(faultAt(at, value), name).toBeUndefined();
      // A generated client can distinguish the codes of an operation, and a failure from a success.
      const failure = value as { readonly data?: object };
      const other = { ...failure.data, code: 'admin_page_not_found' };
      for (const part of failure.data ? [{ data: other }, { success: true }] : [])
        expect(faultAt(at, { ...failure, ...part }), name).toBeDefined();
    }
  const account = recorded.answers['account.lock']['application/json'].data;
  const faultOf = (value: unknown) => faultAt(['components', 'schemas', 'ChangedAccount'], value);
  expect(faultOf(account), STALE.record).toBeUndefined();
  expect(faultOf({ ...account, more: 1 })).toContain('additional');
  expect(faultOf({ ...account, teams: 'x' })).toContain('integer');
});

test('errors have one shape, in which a generated client reads data.code without a check of their kind, except those of OAuth', () => {
  const { responses, schemas } = document.components;
  expect(JSON.stringify(responses)).not.toMatch(/"(anyOf|oneOf)"/);
  const shapes = Object.values(responses).map(({ content }) => {
    const { allOf: [base] = [], $ref = base?.$ref } = (
      content['application/json'] as { readonly schema?: object }
    ).schema as {
      allOf?: { $ref?: string }[];
      $ref?: string;
    };
    return $ref?.split('/').at(-1);
  });
  expect([...new Set(shapes)].sort()).toEqual(['Failure', 'OAuthError', 'Refusal']);
  const [failure, refusal] = [schemas['Failure'], schemas['Refusal']] as {
    properties: object;
    required: string[];
  }[];
  expect(refusal?.properties).toEqual(failure?.properties);
  expect(refusal?.required).toEqual(['message']);
});

test('the examples of requests name no account that may exist', () => {
  const named = [recorded.requests, ...operations.map(({ parameters }) => parameters)];
  const names = JSON.stringify(named).match(
    /"\w*username","in":"path".*?"example":"[^"]+"|"username":"[^"]+"/g,
  );
  expect(names?.length).toBeGreaterThan(10);
  expect(names?.filter((text) => !/"(your|source|target)\.username"$/.test(text))).toEqual([]);
});

test('the examples have no secret, and no ID or time of their recording', () => {
  const text = JSON.stringify(recorded);
  expect(text).not.toMatch(/cst_[0-9A-Za-z]{36}|eyJ[\w-]{10,}\.|127\.0\.0\.1/);
  expect(new Set(text.match(/"requestID":"[^"]+"/g)).size).toBe(1);
  expect(new Set(text.match(/20\d\d-\d\d-\d\dT[\d:]+/g))).toEqual(
    new Set(['2026-01-01T09:30:00', '2026-01-02T09:30:00', '2026-04-02T09:30:00', '2099-01-01T00:00:00']),
  );
});

test('no operation shares the tag of webhooks, so that generated clients have both', () => {
  const tagsOf = (all: readonly Operation[]) => new Set(all.flatMap(({ tags }) => tags));
  const webhooks = Object.values(document.webhooks).map(({ post }) => post);
  expect([...tagsOf(webhooks)].filter((tag) => tagsOf(operations).has(tag))).toEqual([]);
  expect(document.tags.map(({ name }) => name)).toEqual(expect.arrayContaining([...tagsOf(webhooks)]));
});

test('no field is described as null alone, a type that generators for Python do not know', () => {
  expect(pathsOf((node, path) => node['type'] === 'null' && path.at(-2) === 'properties')).toEqual([]);
});

test.each<[schema: string, valid: Json[], invalid: Json[]]>([
  [
    'TokenLimits',
    [
      { addresses: ['192.0.2.1', '192.0.2.0/24', '2001:db8::1', '2001:db8::/32'] },
      { description: 'Zoë 王 🦊' },
      { expires_in_days: 1 },
    ],
    [
      { addresses: [] },
      ...['', '192.0.2', '192.0.2.0/33', '2001:db8::/129', 'fe80::1%eth0'].map((it) => ({ addresses: [it] })),
      ...['\u0000', 'a\n', '\u0085', '\u202e', '\u2069'].map((description) => ({ description })),
      { expires_in_days: 1, expires_at: '2026-12-01T00:00:00Z' },
    ],
  ],
  ['TeamName', [{ name: 'Ops' }], [{ name: 'a\tb' }]],
  ['AccessChange', [{ add: { roles: ['a'] } }], [{}]],
])('the schema %s says what its rule refuses', (name, valid, invalid) => {
  const isValid = (value: Json) => faultAt(['components', 'schemas', name], value) === undefined;
  expect(valid.filter((value) => !isValid(value))).toEqual([]);
  expect(invalid.filter(isValid)).toEqual([]);
});
