import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeEach } from 'vitest';
import { type Issuer, issuersIn, type Platform } from '#lib/trust/issuers';
import { startIssuer } from '../../../infra/local/issuer/start-issuer.ts';

type Instead = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * Starts an issuer for each platform, as a real server with keys of its own. Call it once at the top of a test file.
 *
 * @param now the time at which tokens are issued
 */
export async function openTestIssuer(now?: () => number) {
  let instead: Instead | undefined;
  const server = await startIssuer({
    ...(now && { now }),
    instead: (request, response) => instead?.(request, response) ?? false,
  });
  const all = issuersIn(JSON.stringify(server.settings), true);
  beforeEach(() => {
    instead = undefined;
    server.requests.length = 0;
  });
  afterAll(() => server.close());
  return {
    ...server,
    /** An issuer as the settings have it. */
    issuer: (platform: Platform) => all.find((one) => one.platform === platform) as Issuer,
    /** Answers requests whose path ends so in place of the issuer, until the end of the test. */
    answer(path: string, respond: (response: ServerResponse) => unknown): void {
      instead = (request, response) => {
        const isMeant = request.url?.endsWith(path) ?? false;
        if (isMeant) respond(response);
        return isMeant;
      };
    },
    /** Fetches of metadata, by the path of the issuer. */
    fetches: () => server.requests.filter((request) => request.endsWith(METADATA)),
  };
}

/** End of the path of metadata. */
export const METADATA = '/.well-known/openid-configuration';
