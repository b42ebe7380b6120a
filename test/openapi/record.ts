import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { createAccount } from '#lib/account/create';
import { contracts } from '#lib/routes';
import { allUsernames } from '#lib/table/listing';
import { MAX_BATCH } from '#lib/table/read';
import { DAY_MS } from '#lib/time';
import { openTarget } from '../../infra/admin/target.ts';
import { bundle } from '../../infra/bundle.ts';
import { EXECUTED_AT, REQUEST_ID } from '../../infra/openapi/examples.ts';
import { operationIdOf } from '../../infra/openapi/operation.ts';
import { EXAMPLE_URL } from '../../infra/openapi/page.ts';
import { newAuthenticator } from '../authenticator.ts';
import { giveEveryRole } from '../integration/every-role.ts';
import { startInstance } from '../integration/instance-process.ts';
import { ISSUERS } from '../integration/issuers.ts';
import {
  type Names,
  partsOf,
  preparationOf,
  type Request,
  requestOf,
  type Sample,
  samplesOf,
} from '../integration/requests.ts';
import { RESOURCES } from '../integration/resources.ts';
import { newFolder, removeFolders } from '../unit/support/folder.ts';
import { giveHeld, storedSession } from '../unit/support/items.ts';

/**
 * Records the examples of the OpenAPI document: what an instance with the demo data answers to the requests of the tests.
 * Each is about an account of its own, and ids and times are replaced by fixed ones: a new field changes its own lines.
 */
const PASSWORD = 'correct horse battery staple';
const USERNAME = 'marco.rossi';
const COLOR = '#8A4B08';

/** Ids and times of the answers, by those that the instance gave. */
const replaced = new Map<string, string>();

/** A UUID of version 7 of a fixed time. SQL Server sorts by the last group: there it has the time. */
function fixedUuid(place: string): string {
  const [a, b, c, d] = [8, 4, 3, 3].map((length, nth) =>
    createHash('sha256').update(`${nth} ${place}`).digest('hex').slice(0, length),
  );
  const nth = /\d*$/.exec(place)?.[0].padStart(3, '0');
  if (place.startsWith('system.uuid')) return `${a}-${b}-7${c}-8${nth}-019b76da9c00`;
  return `019b76da-9c00-7${c}-8${d}-${a}${b}`;
}

/** Names of the demo data, and of accounts that requests create; a token in the audit log has its own name before. */
const isUsername = (text: string) =>
  demo.some((name) => text === name || text.endsWith(`@${name}`)) || text.endsWith(USERNAME);

const isUuid = (text: string) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(text);

/** A time of the recording, as so many days from {@link EXECUTED_AT}, in the same form. */
const fixedTime = (text: string) => {
  const zoned = /(Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`;
  const days = Math.round((Date.parse(zoned) - Date.now()) / DAY_MS);
  if (Math.abs(days) > 365) return text;
  const date = new Date(Date.parse(EXECUTED_AT) + days * DAY_MS).toISOString().slice(0, 19);
  return text.replace(/^.{19}/, date).replace(/\.\d+/, (digits) => digits.replace(/\d/g, '0'));
};

/** Operations whose further requests are examples of their own, by the names of the requests. */
const NAMED = ['oauth.token'];

/** The public key of RFC 7517, appendix A.1. */
const KEY: Readonly<Record<string, string>> = {
  x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
  y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
  kid: 'cn-I_WNMClehiVp51i_0VpOENW1upEerA8sEam5hn-s',
};

/** The keys of tokens for other services: that of the same appendix, and a successor. */
const RSA_KEYS: readonly Readonly<Record<string, string>>[] = [
  {
    n: '0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw',
    kid: 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs',
  },
  {
    n: '1IKwZ7gWGZd3etVFjehhzDnhRFKHwNtkPaSz-8Hm6GwMJ0veZ3VlK-UAxLCjVNBLHwcZw7icoX2bHPaVD7_awnHWEE7-_dCTO0RjfFdjqb3AUekxuaq3ol3FbmbaXAAm0MvYjG8N_HXBLQG9M6jKjpZidPg-GMxvbldWMYoWmcuEz-8M6bzL9qaerJ7QO0SO4VBZc0ISOgSYWThlqkD-mBqgXP5j_HlQPg97J1H4OnMZmvFCbWB4wAVNu2bCzqfiacyYFPzHqOqbZ188Ldc36TBtrk6V3_aQwCwxL651ezlLsrfnss5AQMJRJbdMcD9I6rk43rVfN76bfJTKaN28lQ',
    kid: 'A4Uh-xzhfnMYUTl_9UomwGJHldB6-vMy8eHpQyaN3uc',
  },
];

function fixedText(text: string, place: string): string {
  const key = place.split('/').at(-1) as string;
  if (key === 'requestID') return REQUEST_ID;
  if (key === 'next_cursor') return '<cursor>';
  if (key === 'token_last4') return 'x7Qb';
  // Tools send examples to real instances (RFC 2606).
  if (isUsername(text)) return `${text}@example.com`;
  // Its default depends on the username.
  if (key === 'user_color') return COLOR;
  if (place.startsWith('system.jwks') && KEY[key]) return KEY[key];
  const [, nth] = /^oauth\.jwks\/.*\/(\d+)\/\w+$/.exec(place) ?? [];
  if (nth !== undefined) return RSA_KEYS[Number(nth)]?.[key] ?? text;
  if (/^\d{4}-\d\d-\d\dT/.test(text)) return fixedTime(text);
  if (!isUuid(text)) return text;
  if (!replaced.has(text)) replaced.set(text, fixedUuid(place));
  return replaced.get(text) as string;
}

function fixed(value: unknown, place: string): unknown {
  if (typeof value === 'string') return fixedText(value, place);
  // The activity of the administrator is recorded in parallel with its requests.
  if (/\/stats\/(today|last_week)$/.test(place)) return 1;
  // Each sample has an account of its own.
  if (/\/stats\/count$/.test(place)) return 7;
  if (/\/(iat|exp)$/.test(place)) return Math.floor(Date.parse(EXECUTED_AT) / 1000);
  if (Array.isArray(value)) return value.map((each, nth) => fixed(each, `${place}/${nth}`));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, fixed(each, `${place}/${name}`)]),
  );
}

await bundle();
const data = newFolder();
const { ready, stop } = await startInstance({
  data,
  args: ['--memory'],
  env: {
    ADMIN_PASSWORD: PASSWORD,
    Settings__BcryptCost: '10',
    Settings__ErasureAfterDays: '0',
    Settings__Issuers: ISSUERS,
    Settings__Resources: RESOURCES,
  },
});
const { runtime } = await openTarget({ data });
await giveEveryRole(runtime);
const demo: string[] = [];
for await (const names of allUsernames(runtime.table, MAX_BATCH)) demo.push(...names);
const administrator = `Token ${ready.admin.token}`;

/** @throws Error unless it succeeds */
async function send([method, path, { json, form, headers }]: Request, authorization?: string) {
  const response = await fetch(ready.url + path, {
    method,
    headers: {
      ...(authorization && { authorization }),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: json === undefined ? form && new URLSearchParams(form) : JSON.stringify(json),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return { type: (response.headers.get('content-type') ?? '').replace(/;.*/, ''), text };
}

const withoutSecrets = (text: string) =>
  text
    // Their header begins with the algorithm RS256.
    .replaceAll(/eyJhbGciOiJSUzI1NiI[\w-]*\.[\w-]+\.[\w-]+/g, '<token for the service>')
    .replaceAll(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<session token>')
    .replaceAll(/cst_[0-9A-Za-z]{36}/g, '<API token>')
    .replaceAll(/(?<![\w-])[0-9A-Z]{4}(-[0-9A-Z]{4}){2}(?![\w-])/g, '<one-time code>')
    .replaceAll(/ops-subject-\d+/g, 'ops')
    .replaceAll(ready.url, EXAMPLE_URL)
    .replaceAll('"127.0.0.1"', '"192.0.2.1"')
    .replaceAll(`"${hostname()}"`, '"workstation"')
    .replaceAll('"node"', '"Mozilla/5.0 Firefox/145.0"');

/** What devices answer differs each time. */
const withoutDevices = (id: string, text: string) =>
  id.includes('passkey') ? text.replaceAll(/"[\w-]{40,}"/g, '"<base64url>"') : text;

/** The account that the nth request is about. */
async function subject(nth: number, { presents, holds }: Sample): Promise<Names> {
  const account = await createAccount(runtime, {
    username: `subject-${nth}`,
    user_first_name: 'Marco',
    user_last_name: 'Rossi',
    user_color: COLOR,
    phonenumber: '+39 06 555 0102',
    apps: ['planning', 'core'],
    teams: ['FIN'],
    password: PASSWORD,
  });
  const [created_at, ttl] = [new Date().toISOString(), Math.floor((Date.now() + DAY_MS) / 1000)];
  await storedSession(runtime.table, account, { created_at, ttl, user_agent: 'curl/8.14.1' });
  const names = { username: account.username, password: PASSWORD, source: 'anna.keller' };
  const device = newAuthenticator();
  if (holds) await giveHeld(runtime.table, account, holds, device, Date.now());
  if (!presents) return names;
  if (presents === 'session') return { ...names, presented: (await session(names)).replace('Bearer ', '') };
  if (presents === 'creation' || presents === 'assertion') {
    const [purpose, by] = presents === 'creation' ? ['create', await session(names)] : ['assert'];
    const asked = await send(['POST', '/api/core/account/passkey/options', { json: { purpose } }], by);
    const { options } = (JSON.parse(asked.text) as { data: { options: object } }).data;
    const origin = ready.url.replace('127.0.0.1', 'localhost');
    const answered =
      purpose === 'create' ? device.create(options, { origin }) : device.get(options, { origin });
    // Other members are ignored.
    const { authenticatorAttachment: _, clientExtensionResults: __, response, ...credential } = answered;
    const described = Object.fromEntries(
      Object.entries(response).filter(([name]) => name !== 'publicKeyAlgorithm'),
    );
    return { ...names, presented: JSON.stringify({ ...credential, response: described }) };
  }
  const { text } = await send(requestOf('token.create', names), administrator);
  return { ...names, presented: (JSON.parse(text) as { data: { value: string } }).data.value };
}

const session = async (names: Names) => {
  const { text } = await send(requestOf('account.login', names), administrator);
  return `Bearer ${(JSON.parse(text) as { data: { JWTtoken: string } }).data.JWTtoken}`;
};

/** A request names no account that may exist: a login would count towards its limit. */
const placeholders = (text: string) =>
  withoutSecrets(text)
    .replaceAll(/(\w+\.)?subject-\d+/g, 'your.username')
    .replaceAll(PASSWORD, 'your password');

const answers: Record<string, Record<string, unknown>> = {};
const requests: Record<string, unknown> = {};
const others: Record<string, object> = {};
const samples = contracts
  .filter(({ id, forPeople }) => !forPeople && id !== 'docs.openapi')
  .flatMap(({ id }) => samplesOf(id).map((sample) => ({ id, sample })));

try {
  for (const [nth, { id, sample }] of samples.entries()) {
    const names = await subject(nth, sample);
    for (const request of preparationOf(id, names, sample)) await send(request, administrator);
    const request = requestOf(id, names, sample);
    const { type, text } = await send(request, sample.own ? await session(names) : administrator);
    const operation = operationIdOf(partsOf(id, names, sample).route);
    const readable = (value: string) =>
      withoutDevices(id, withoutSecrets(value).replaceAll(/subject-\d+/g, USERNAME));
    const value = type.endsWith('json') ? fixed(JSON.parse(readable(text)), operation) : readable(text);
    answers[operation] = { [type]: value, ...answers[operation] };
    const { json, form = json } = request[2];
    if (form === undefined) continue;
    const shown: unknown = JSON.parse(withoutDevices(id, placeholders(JSON.stringify(form))));
    requests[operation] ??= shown;
    if (sample.name && NAMED.includes(id))
      others[operation] = { ...others[operation], [sample.name]: { request: shown, answer: value } };
  }
} finally {
  await stop();
  removeFolders();
}

const sorted = (object: object) => Object.fromEntries(Object.entries(object).sort());
const examples = { answers: sorted(answers), requests: sorted(requests), others };
const file = join(import.meta.dirname, '../../infra/openapi/examples.json');
await writeFile(file, `${JSON.stringify(examples, null, 2)}\n`);
