import type { BrowserContext, Page } from 'playwright-core';
import { admin, baseUrl, createUser, get, noted, type User } from '../integration/service.ts';

/** An administrator whose session the cookie jar of a browser holds. */
export interface Victim extends User {
  /** Value of the cookie. */
  readonly jwt: string;
}

/** A blank page of the service's own origin: the gateway's answer to an unknown path. */
export const BLANK = '/nothing';

/** Opens that page of the service's own origin. */
export async function openOwnPage(context: BrowserContext, base = baseUrl): Promise<Page> {
  const page = await context.newPage();
  await page.goto(base + BLANK);
  return page;
}

/** Logs in as a page of the service's own origin does, with `createCookie`. */
export async function logInWithCookie(
  page: Page,
  { username, password }: Pick<User, 'username' | 'password'>,
): Promise<string> {
  const { status, jwt } = await page.evaluate(
    async (body) => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch('/api/core/account/login', { method: 'POST', headers, body });
      const { data } = (await response.json()) as { data: { JWTtoken: string } };
      return { status: response.status, jwt: data.JWTtoken };
    },
    JSON.stringify({ username, password, createCookie: true }),
  );
  if (status !== 200) throw new Error(`login answered ${status}`);
  return noted(jwt);
}

/** Creates an administrator and logs it in. */
export async function logInVictim(page: Page): Promise<Victim> {
  const user = await createUser({ roles: ['sys_administrator', 'sys_tokens'] });
  return { ...user, jwt: await logInWithCookie(page, user) };
}

/** All that attempts could change: the session, the profile and the tokens of the victim, the state of the other. */
export async function stateOf({ username, jwt }: Victim, other: User) {
  const [session, profile, tokens, directory] = await Promise.all([
    get('/api/core/system/ping', { jwt }),
    get(`/api/core/account/profile/${username}`, admin),
    get(`/api/core/token/user/${username}`, admin),
    get<{ items: Record<string, unknown>[] }>(`/api/core/account/browse?username=${other.username}`, admin),
  ]);
  const [item] = directory.body.data.items;
  return { session: session.status, profile: profile.body.data, tokens: tokens.body.data, other: item };
}
