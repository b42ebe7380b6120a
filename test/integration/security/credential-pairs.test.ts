import { beforeAll, describe, expect, test } from 'vitest';
import { inParallel } from '../../in-parallel.ts';
import { send } from '../raw-request.ts';
import { createUser, logIn, noted, post } from '../service.ts';
import { PING, REFUSED } from './ways.ts';

/** Where a credential stands, the strongest place first (decision 7). */
const PLACES = ['header', 'query', 'cookie'] as const;

interface Way {
  readonly place: (typeof PLACES)[number];
  readonly takes: 'session' | 'token';
  readonly text: (value: string) => string;
  /** Whether the interface lists it as a way to present such a credential. */
  readonly listed: boolean;
}

const WAYS: Readonly<Record<string, Way>> = {
  Bearer: { place: 'header', takes: 'session', text: (jwt) => `Bearer ${jwt}`, listed: true },
  'Bearer with an API token': {
    place: 'header',
    takes: 'token',
    text: (token) => `Bearer ${token}`,
    listed: false,
  },
  Token: { place: 'header', takes: 'token', text: (token) => `Token ${token}`, listed: true },
  Basic: { place: 'header', takes: 'token', text: (token) => `Basic ${btoa(`api:${token}`)}`, listed: true },
  'a session in the query': { place: 'query', takes: 'session', text: (jwt) => jwt, listed: true },
  'an API token in the query': {
    place: 'query',
    takes: 'token',
    text: (token) => `api:${token}`,
    listed: true,
  },
  'the cookie': { place: 'cookie', takes: 'session', text: (jwt) => jwt, listed: true },
};

/** Whose the credential is; or nobody's: a session with another signature, a token that was deleted. */
const STATES = ['of A', 'of B', 'of nobody'] as const;
type State = (typeof STATES)[number];

interface Presented {
  readonly name: string;
  readonly way: Way;
  readonly state: State;
}

const PRESENTED: readonly Presented[] = Object.entries(WAYS).flatMap(([name, way]) =>
  STATES.map((state) => ({ name: `${name} ${state}`, way, state })),
);

const usernames: Partial<Record<State, string>> = {};
const credentials: Partial<Record<State, Record<Way['takes'], string>>> = {};

beforeAll(async () => {
  for (const state of ['of A', 'of B'] as const) {
    const user = await createUser();
    const token = await user.token();
    usernames[state] = user.username;
    credentials[state] = { token, session: await logIn('api', token) };
    if (state === 'of B') continue;
    const deleted = await user.token('deleted');
    await post(`/api/core/token/delete/deleted/${user.username}`, { token });
    const [header, claims, signature = ''] = (credentials[state]?.session ?? '').split('.');
    const reversed = [...signature.slice(0, -1)].reverse().join('') + signature.slice(-1);
    credentials['of nobody'] = { token: deleted, session: noted(`${header}.${claims}.${reversed}`) };
  }
});

/**
 * What the decisions say of credentials in one request, in their order. 7: the strongest place decides and none falls
 * through to a weaker one; two headers or two in the query are 400, two cookies 401. 8: each way takes one kind.
 */
function expected(presented: readonly Presented[]): string {
  const place = PLACES.find((one) => presented.some(({ way }) => way.place === one));
  const [decides, ...others] = presented.filter(({ way }) => way.place === place);
  if (others.length > 0) return place === 'cookie' ? REFUSED : '400 invalid_request';
  const name = decides?.way.listed ? usernames[decides.state] : undefined;
  return name === undefined ? REFUSED : `200 ${name}`;
}

async function answered(presented: readonly Presented[]): Promise<string> {
  const texts = (place: Way['place']) =>
    presented.flatMap(({ way, state }) =>
      way.place === place ? [way.text(credentials[state]?.[way.takes] as string)] : [],
    );
  const query = texts('query').map((text) => `ptoken=${encodeURIComponent(text)}`);
  const cookies = texts('cookie').map((text) => `ptoken=${text}`);
  const headers = texts('header');
  const { status, body, code } = await send({
    path: query.length > 0 ? `${PING}?${query.join('&')}` : PING,
    headers: {
      ...(headers.length > 0 && { authorization: headers }),
      ...(cookies.length > 0 && { cookie: cookies.join('; ') }),
    },
  });
  return `${status} ${status === 200 ? body?.username : code}`;
}

/** Sends each combination, and names those that were answered otherwise than expected. */
const surprises = async (combinations: readonly (readonly Presented[])[]) => {
  const answers = await inParallel(combinations, async (each) => [each, await answered(each)] as const);
  return answers.flatMap(([each, answer]) =>
    answer === expected(each)
      ? []
      : [`${each.map(({ name }) => name).join(' + ')}: ${answer}, not ${expected(each)}`],
  );
};

describe('RFC 6750 2, RFC 9700 4.3.2, API2:2023: credentials in one request', () => {
  test('one alone', async () => {
    expect(await surprises(PRESENTED.map((one) => [one]))).toEqual([]);
  });

  test.each(Object.keys(WAYS))('%s and another', async (name) => {
    const firsts = PRESENTED.filter(({ way }) => way === WAYS[name]);
    expect(await surprises(firsts.flatMap((one) => PRESENTED.map((two) => [one, two])))).toEqual([]);
  });

  test('one in every place', async () => {
    const at = (place: Way['place'], but: State) =>
      PRESENTED.filter(({ way, state }) => way.place === place && state !== but);
    const all = at('header', 'of B').flatMap((one) =>
      at('query', 'of A').flatMap((two) => at('cookie', 'of B').map((three) => [one, two, three])),
    );
    expect(await surprises(all)).toEqual([]);
  });
});
