import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, jwtVerify, SignJWT } from 'jose';
import { afterAll, expect, test } from 'vitest';
import { GRANT_TYPES, TOKEN_TYPES } from '#lib/oauth/grant-types';
import { parsePrivateKey, signerOf } from '#lib/session/key-version';
import { apply, stepsOnPage } from './remedy.ts';
import { call, noted } from './service.ts';
import { openThefts } from './thefts.ts';
import { thiefOn } from './thief.ts';

const AUDIENCE = 'https://payroll.example.com';
const thefts = await openThefts({ Settings__Resources: JSON.stringify([{ audience: AUDIENCE }]) });
afterAll(thefts.close);
const { base, data, command, create, incident, logIn } = thefts;

/** Asks for a token for the other service. */
const ask = (subject_token: string) => {
  const form = { subject_token, subject_token_type: TOKEN_TYPES.access, resource: AUDIENCE };
  return call('POST', '/api/core/oauth/token', { base, form: { grant_type: GRANT_TYPES.exchange, ...form } });
};
async function tokenFor(subject: string): Promise<string> {
  const { status, text, body } = await ask(subject);
  expect(status, text).toBe(200);
  return noted((body as unknown as { readonly access_token: string }).access_token);
}

const published = async () =>
  JSON.parse((await call('GET', '/.well-known/jwks.json', { base })).text) as JSONWebKeySet;

/** Verifies as the other service does, at a time. */
const verified = async (jwt: string, currentDate = new Date()) =>
  jwtVerify(jwt, createLocalJWKSet(await published()), {
    ...{ audience: AUDIENCE, issuer: new URL(base).origin, typ: 'at+jwt', algorithms: ['RS256'] },
    currentDate,
  });

/** Signs tokens as a thief of the private keys, by each of them. */
async function forge(sub: string) {
  const secrets = JSON.parse(await readFile(join(data, 'secrets.json'), 'utf8'));
  const versions = Object.values<{ text: string }>(secrets['resource-key'].versions);
  const signers = versions.flatMap(({ text }) => parsePrivateKey(text) ?? []).map(signerOf);
  const iss = new URL(base).origin;
  const claims = { iss, aud: AUDIENCE, sub, client_id: 'x', roles: ['sys_administrator'] };
  return Promise.all(
    signers.map(async ({ kid, key }) =>
      noted(
        await new SignJWT(claims)
          .setProtectedHeader({ alg: 'RS256', kid, typ: 'at+jwt' })
          .setIssuedAt()
          .setExpirationTime('15m')
          .sign(key),
      ),
    ),
  );
}

test('a stolen token for another service is in the audit log, ends by itself, and is the last one after the remedy of its session', async () => {
  const owner = await create('owner');
  const thief = thiefOn(base);
  const time = new Date().toISOString();
  const session = await thief.logIn(owner.username, owner.password);
  const token = await tokenFor(session);
  const { exp = 0, iat = 0, jti } = decodeJwt(token);
  expect(exp - iat).toBe(300);
  expect((await verified(token)).payload.jti).toBe(jti);

  await apply(stepsOnPage('resourceToken'), incident(thief, time, owner.username));
  await expect.poll(() => command(`audit --since ${time} --action oauth.token`)).toContain(`token_id=${jti}`);
  await apply(stepsOnPage('account'), incident(thief, time, owner.username));
  for (const subject of [session, token, owner.token]) expect((await ask(subject)).status).toBe(400);
  expect((await verified(token)).payload.jti).toBe(jti);
  await expect(verified(token, new Date(exp * 1000))).rejects.toMatchObject({ code: 'ERR_JWT_EXPIRED' });
});

test('the remedy for the private key of these tokens ends every forged one at verifiers that fetch the keys, and no session', async () => {
  const owner = await create('owner');
  const thief = thiefOn(base);
  const time = new Date().toISOString();
  const session = await thief.logIn(owner.username, owner.password);
  await command('keys rotate --resources --wait');
  const forged = await forge('somebody');
  expect(forged.length).toBeGreaterThanOrEqual(2);
  const accepted = await Promise.allSettled(forged.map((jwt) => verified(jwt)));
  expect(accepted.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(2);
  const before = (await published()).keys.map(({ kid }) => kid);

  await apply(stepsOnPage('resourceKey'), incident(thief, time));
  for (const jwt of forged)
    await expect(verified(jwt)).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
  const after = (await published()).keys.map(({ kid }) => kid);
  expect(after.filter((kid) => before.includes(kid))).toEqual([]);
  expect(after).toHaveLength(2);
  expect((await verified(await tokenFor(session))).payload.sub).toBe(decodeJwt(session).sub);
  expect(await logIn(owner.username, owner.password)).toBe(200);
});
