import { describe, expect, test } from 'vitest';
import { routes } from '#lib/routes';
import { inParallel } from '../../in-parallel.ts';
import { send } from '../raw-request.ts';
import { requestOf } from '../requests.ts';
import { createUser, logIn, post } from '../service.ts';
import { ownOrigin, stateOf } from './ways.ts';

const FOREIGN = 'https://evil.example';
const SITES = [undefined, 'same-origin', 'same-site', 'cross-site', 'none'] as const;
const ORIGINS = [undefined, ownOrigin, FOREIGN, 'null'] as const;

/** `Sec-Fetch-Mode` and `Sec-Fetch-Dest`: of no browser, a script, a form or link, an image. */
const FETCHES = [[], ['cors', 'empty'], ['navigate', 'document'], ['no-cors', 'image']] as const;
const REFERERS = [undefined, `${ownOrigin}/page`, `${FOREIGN}/page`] as const;

interface Sender {
  readonly site: (typeof SITES)[number];
  readonly origin: (typeof ORIGINS)[number];
  readonly mode: string | undefined;
  readonly dest: string | undefined;
  readonly referer: (typeof REFERERS)[number];
}

/** Each site with each origin; each of both meets every fetch, in a square of rows and columns. */
const SENDERS: readonly Sender[] = SITES.flatMap((site, row) =>
  ORIGINS.map((origin, column) => {
    const [mode, dest] = FETCHES[(row + column) % 4] as (typeof FETCHES)[number];
    return { site, origin, mode, dest, referer: REFERERS[(row + 2 * column) % 3] };
  }),
);

/** All of them with all. */
const ALL_SENDERS: readonly Sender[] = SITES.flatMap((site) =>
  ORIGINS.flatMap((origin) =>
    FETCHES.flatMap(([mode, dest]) => REFERERS.map((referer) => ({ site, origin, mode, dest, referer }))),
  ),
);

/**
 * What decisions 19 and 37 say of a request with the cookie that changes state. `Sec-Fetch-Site` decides where a browser
 * sent it, else `Origin`; `Referer` never does. A GET is not for images and the like.
 */
function isOwn(method: string, { site, origin, mode }: Sender): boolean {
  if (method === 'GET' && mode === 'no-cors') return false;
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  return origin === undefined || origin === ownOrigin;
}

const headersOf = ({ site, origin, mode, dest, referer }: Sender) => ({
  ...(site && { 'sec-fetch-site': site }),
  ...(origin && { origin }),
  ...(mode && { 'sec-fetch-mode': mode }),
  ...(dest && { 'sec-fetch-dest': dest }),
  ...(referer && { referer }),
});

/** What is done to the account before, so that there is something to change. */
const BEFORE: Readonly<Record<string, string>> = { 'account.unlock': 'lock', 'account.reactivate': 'cancel' };

/** These change nothing that is kept. */
const WITHOUT_TRACE = ['system.ping', 'system.preview', 'account.login'];

const unsafe = routes.filter(({ method, contract }) => method !== 'GET' || contract.unsafe);

describe('ASVS 5 3.5.1, 3.5.3: a request of another site, with the cookie', () => {
  test.each(unsafe)('$method $path', async ({ method, contract: { id, access } }) => {
    const [caller, subject] = [
      await createUser({ roles: ['sys_administrator', 'sys_tokens'] }),
      await createUser({ apps: ['extra', 'core'] }),
    ];
    await subject.token('first');
    const token = await caller.token();
    if (BEFORE[id]) await post(`/api/core/account/${BEFORE[id]}/${subject.username}`, { token });
    const [, path, request] = requestOf(id, subject);
    const bodies: Record<string, unknown> = {
      'account.profile-update': { username: subject.username, phonenumber: '1' },
      'account.login': { username: 'api', password: token },
    };
    const json = bodies[id] ?? request?.json;
    let session = await logIn('api', token);
    const isRead = WITHOUT_TRACE.includes(id);
    const senders =
      id === 'account.logout' || (id === 'system.ping' && method === 'POST') ? ALL_SENDERS : SENDERS;

    /** `403` where it was refused as one of another site, `passes` where it got beyond that. */
    const outcome = async (headers: Record<string, string>) => {
      const { status, code } = await send({ method, path, headers, json });
      return status === 403 ? `403 ${code}` : [200, 404, 409].includes(status) ? 'passes' : `${status}`;
    };
    const withCookie = (sender: Sender) => outcome({ cookie: `ptoken=${session}`, ...headersOf(sender) });
    const unlike = async (expected: string, senders: readonly Sender[]) => {
      const answers = await inParallel(
        senders,
        async (sender) => [sender, await withCookie(sender)] as const,
      );
      return answers.filter(([, answer]) => answer !== expected);
    };
    const mayPass = (sender: Sender) => access === 'public' || isOwn(method, sender);

    const before = await stateOf(caller, subject);
    expect(
      await unlike(
        '403 forbidden',
        senders.filter((sender) => !mayPass(sender)),
      ),
    ).toEqual([]);
    expect(await stateOf(caller, subject), 'what was refused has changed nothing').toEqual(before);

    // Where each of these writes, only some are sent.
    const passing = senders.filter(mayPass).filter((_, nth) => isRead || nth % 4 === 0);
    for (const sender of passing) {
      if (id === 'account.logout') session = await logIn('api', token);
      expect(await withCookie(sender), JSON.stringify(sender)).toBe('passes');
    }
    const after = await stateOf(caller, subject);
    if (isRead) expect(after).toEqual(before);
    else expect(after, 'what passes does change something').not.toEqual(before);
    const foreign = { origin: FOREIGN, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' };
    for (const own of [`Token ${token}`, `Basic ${btoa(`api:${token}`)}`, undefined]) {
      const authorization = own ?? `Bearer ${await logIn('api', token)}`;
      expect(await outcome({ authorization, ...foreign }), 'only the cookie is sent by itself').toBe(
        'passes',
      );
    }
  });
});

test('a request of another site that only reads is answered: no page of it sees the answer (ASVS 5 3.5.2)', async () => {
  const user = await createUser({ roles: ['sys_administrator'] });
  const session = await logIn('api', await user.token());
  const safe = routes.filter(({ method, contract }) => method === 'GET' && !contract.unsafe);
  for (const { path, contract } of safe) {
    const [, filled] = requestOf(contract.id, user);
    const reply = await send({
      path: contract.id === 'system.ping' ? path : filled,
      headers: { cookie: `ptoken=${session}`, origin: FOREIGN, 'sec-fetch-site': 'cross-site' },
    });
    expect(reply.status, path).toBe(200);
  }
});
