import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { PLATFORMS, type Platform } from '#lib/trust/issuers';
import { listen, readBody } from '../machine/listen.ts';
import type { TokenClaims } from './forms.ts';
import { type PlatformIssuer, platformIssuer } from './issuer.ts';

export interface IssuerServerOptions {
  /** 0 picks a free one. */
  readonly port?: number;
  readonly now?: () => number;
  /** Answers a request in place of the issuer, if it returns true; for tests of issuers that fail. */
  readonly instead?: (request: IncomingMessage, response: ServerResponse) => boolean;
}

export type LocalIssuer = Awaited<ReturnType<typeof startIssuer>>;

/** More than all claims of a token have. */
const MAX_BODY_BYTES = 100_000;

/**
 * Starts an issuer for each platform at `http://localhost:<port>/<platform>`, for tests and for trying: whoever reaches the
 * port gets the token that they ask for. GitHub's is requested as in a workflow, the others by
 * `POST /<platform>/token?audience=<audience>` with a JSON object of claims, which answers the token alone.
 */
export async function startIssuer({ port = 0, now = Date.now, instead }: IssuerServerOptions = {}) {
  const requests: string[] = [];
  const issuers = new Map<Platform, PlatformIssuer>();
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    // A page of another origin that resolves its own name to this machine has another host.
    if (request.headers.host !== new URL(url).host) return void answer(response, 421, 'Only localhost');
    if (instead?.(request, response)) return;
    respond(request).then(
      ([status, body]) => answer(response, status, body),
      (error: unknown) => answer(response, 400, (error as Error).message),
    );
  });
  const listening = await listen(server, port, '--issuer');
  const url = listening.url.replace('127.0.0.1', 'localhost');
  for (const platform of PLATFORMS)
    issuers.set(platform, platformIssuer(platform, `${url}/${platform}`, now));
  const issuerOf = (platform: Platform) => issuers.get(platform) as PlatformIssuer;

  const respond = async (request: IncomingMessage): Promise<[status: number, body: unknown]> => {
    const { pathname, searchParams } = new URL(request.url ?? '/', url);
    const [, name, path = ''] = /^\/(\w+)(\/.*)$/.exec(pathname) ?? [];
    const issuer = issuers.get(name as Platform);
    const audience = searchParams.get('audience') ?? 'https://github.com/acme';
    if (issuer && request.method === 'GET') {
      if (path === '/.well-known/openid-configuration') return [200, issuer.metadata()];
      if (path === issuer.keysPath) return [200, await issuer.keySet()];
      if (path === GITHUB_PATH && issuer.platform === 'github')
        return request.headers.authorization === `Bearer ${REQUEST_TOKEN}`
          ? [200, { value: await issuer.token({ audience, claims: claimsIn(searchParams) }) }]
          : [401, 'The bearer token is not ACTIONS_ID_TOKEN_REQUEST_TOKEN'];
    }
    if (issuer && request.method === 'POST' && path === '/token' && issuer.platform !== 'github') {
      const body = (await readBody(request, MAX_BODY_BYTES))?.toString() || '{}';
      return [200, await issuer.token({ audience, claims: JSON.parse(body) as TokenClaims })];
    }
    return [404, 'Unknown path'];
  };

  return {
    url,
    /** The requests so far, as `<method> <path>`. */
    requests,
    issuerOf,
    github: workflowVariables(url),
    /** Entries of `Settings:Issuers`. */
    settings: PLATFORMS.map((platform) => ({ name: platform, issuer: `${url}/${platform}`, platform })),
    close: listening.close,
  };
}

const GITHUB_PATH = '/actions/idtoken';

/** No secret: the other issuers give a token to anyone. */
const REQUEST_TOKEN = 'local';

/** The variables by which a workflow requests its token. */
export const workflowVariables = (url: string) => ({
  ACTIONS_ID_TOKEN_REQUEST_URL: `${url}/github${GITHUB_PATH}?api-version=2.0`,
  ACTIONS_ID_TOKEN_REQUEST_TOKEN: REQUEST_TOKEN,
});

/** Claims of a workflow's job: every parameter of its request that GitHub does not have. */
const claimsIn = (parameters: URLSearchParams): TokenClaims =>
  Object.fromEntries([...parameters].filter(([name]) => !['audience', 'api-version'].includes(name)));

function answer(response: ServerResponse, status: number, body: unknown): void {
  const isText = typeof body === 'string';
  response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json' });
  response.end(isText ? body : JSON.stringify(body));
}
