// In JavaScript, since Fastify and its types are there only where `test/fastify` is installed.

import { KeyObject } from 'node:crypto';
import jwt from '@fastify/jwt';
import fastify, { LogController } from 'fastify';
import { importJWK } from 'jose';
import { mayAuthenticate, readAccount } from '#lib/account/account';
import { requireVariable } from '#lib/runtime';
import { readPublicKeys } from '#lib/session/public-keys';
import { openTable } from '#lib/table/table';
import { microsecondTimestamp } from '#lib/time';

const table = openTable(requireVariable('table'));
const issuer = `urn:core-account:${requireVariable('instance')}`;

/** A ping by Fastify, to sessions only: the same claims, the same read of the account, a line of log, a cache of tokens. */
async function open() {
  const [{ jwk }] = await readPublicKeys(table, Date.now());
  const key = KeyObject.from(await importJWK(jwk, 'ES256', { extractable: true }));
  const app = fastify({
    logger: true,
    logController: new LogController({ disableRequestLogging: true }),
  });
  await app.register(jwt, {
    secret: { public: key.export({ type: 'spki', format: 'pem' }) },
    verify: {
      algorithms: ['ES256'],
      allowedIss: issuer,
      allowedAud: issuer,
      clockTolerance: 5000,
      requiredClaims: ['sub', 'name', 'sst', 'iat', 'nbf', 'exp', 'jti'],
      cache: 1000,
    },
  });
  app.get('/api/core/system/ping', {
    preHandler: async (request, reply) => {
      const { name, sub, sst } = await request.jwtVerify();
      const account = await readAccount(table, name);
      if (account?.id !== sub || account.stamp !== sst || !mayAuthenticate(account))
        return reply.code(401).send();
      request.account = account;
    },
    handler: (request, reply) => {
      reply.headers({ 'cache-control': 'no-store', 'x-request-id': request.id });
      return {
        ping: 'pong',
        method: request.method,
        query: request.query,
        body: null,
        username: request.account.username,
        executed_at: microsecondTimestamp(),
      };
    },
    onResponse: async (request, reply) => {
      const { statusCode: status, elapsedTime: ms } = reply;
      request.log.info({ route: request.routeOptions.url, status, userid: request.account?.id, ms });
    },
  });
  await app.ready();
  return app;
}

const opened = open();

/** The request reaches Fastify without a socket, as an event reaches the functions. */
export const handler = async ({ requestContext: { http }, headers }) => {
  const app = await opened;
  const { statusCode, body } = await app.inject({ method: http.method, url: http.path, headers });
  if (statusCode !== 200) throw new Error(`Fastify answered ${statusCode}: ${body}`);
  return { statusCode, body };
};
