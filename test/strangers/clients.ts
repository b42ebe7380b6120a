import { execFile, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { pythonProgram } from '../python.ts';
import { newFolder } from '../unit/support/folder.ts';

/** A request for a session by a client, which then calls an API with it. */
export interface Ask {
  /** How the client shows who it is: a secret in the header or in the form, or only its name. */
  readonly way: 'basic' | 'form' | 'none';
  readonly id: string;
  /** Empty with `none`. */
  readonly secret: string;
  /** The parameters of the grant, `grant_type` included. */
  readonly grant: Readonly<Record<string, string>>;
  /** The issuer, for clients that begin with discovery ... */
  readonly issuer: string;
  /** ... and what it leads to, for the others. */
  readonly token_endpoint: string;
  /** URL of the API. */
  readonly api: string;
}

/** A client that answers what the API has answered. */
export type Client = (ask: Ask) => Promise<string>;

const run = promisify(execFile);

/** Runs a program of this folder, which reads the request. The answer is all that it prints. */
async function output(file: string, args: readonly string[], ask: unknown, env = {}): Promise<string> {
  const running = run(file, args, { cwd: import.meta.dirname, env: { ...process.env, ...env } });
  running.child.stdin?.end(JSON.stringify(ask));
  return (await running).stdout;
}

/** Whether a program runs in this folder. */
export function succeeds(program: string, ...args: string[]): boolean {
  const options = { cwd: import.meta.dirname, env: { ...process.env, GOTOOLCHAIN: 'local' } };
  return spawnSync(program, args, { ...options, stdio: 'ignore' }).status === 0;
}

const python = pythonProgram('google-auth', join(import.meta.dirname, 'requirements.txt'), 10);
export const inPython = { PYTHONPATH: python.folder };

/** Why the clients in Python cannot run, or undefined. */
export const withoutPython = python.install();

/** Why curl cannot run, or undefined. */
export const withoutCurl = succeeds('curl', '--version') ? undefined : 'needs curl on the PATH';

/** Git refuses to describe a checkout of another user, and Go would refuse to build. */
export const GO = { GOFLAGS: '-mod=readonly -buildvcs=false', GOTOOLCHAIN: 'local' };

/** Why the client in Go cannot run, or undefined. */
export const withoutGo = succeeds('go', 'mod', 'download')
  ? undefined
  : 'needs the version of Go in test/strangers/go.mod, and its modules';

export const authlib: Client = (ask) => output('python3', ['authlib_session.py'], ask, inPython);

/** @param source where the client finds the token of its platform: a file or a URL */
export async function googleAuth({ token_endpoint, id, api }: Ask, source: object): Promise<string> {
  const configuration = join(newFolder(), 'credentials.json');
  writeFileSync(
    configuration,
    JSON.stringify({
      type: 'external_account',
      audience: id,
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      token_url: token_endpoint,
      credential_source: source,
    }),
  );
  return output('python3', ['google_external_account.py', configuration, api], {}, inPython);
}

let built: Promise<string> | undefined;

/** Takes two minutes on a machine that has compiled nothing in Go yet. */
async function build(): Promise<string> {
  const program = join(newFolder(), 'clientcredentials');
  await output('go', ['build', '-o', program, '.'], {}, GO);
  return program;
}

export const goClient: Client = async (ask) => {
  built ??= build();
  return output(await built, [], ask);
};

/** Without a progress bar, and without a proxy of the machine, which does not reach its own ports. */
const QUIET = ['--silent', '--noproxy', '*'];

export const curl: Client = async ({ way, id, secret, grant, token_endpoint, api }) => {
  const own = {
    basic: ['--user', `${id}:${secret}`],
    form: ['--data', `client_id=${id}`, '--data', `client_secret=${secret}`],
    none: ['--data', `client_id=${id}`],
  }[way];
  const fields = Object.entries(grant).flatMap(([name, value]) => ['--data', `${name}=${value}`]);
  const issued = await output('curl', [...QUIET, token_endpoint, ...own, ...fields], {});
  const { access_token } = JSON.parse(issued) as { access_token: string };
  return output('curl', [...QUIET, api, '--header', `Authorization: Bearer ${access_token}`], {});
};

const OF_OPENID = { basic: openid.ClientSecretBasic, form: openid.ClientSecretPost, none: openid.None };
const OF_OAUTH = { basic: oauth.ClientSecretBasic, form: oauth.ClientSecretPost, none: oauth.None };

export const openidClient: Client = async ({ way, id, secret, grant, issuer, api }) => {
  const authentication = OF_OPENID[way](secret);
  const insecure = { execute: [openid.allowInsecureRequests] };
  const server = await openid.discovery(new URL(issuer), id, undefined, authentication, insecure);
  const { grant_type = '', ...parameters } = grant;
  const { access_token } =
    grant_type === 'client_credentials'
      ? await openid.clientCredentialsGrant(server)
      : await openid.genericGrantRequest(server, grant_type, parameters);
  return (await openid.fetchProtectedResource(server, access_token, new URL(api), 'GET')).text();
};

const INSECURE = { [oauth.allowInsecureRequests]: true };

const requested = (api: string, token: string) =>
  oauth.protectedResourceRequest(token, 'GET', new URL(api), undefined, undefined, INSECURE);

/** The authorization server of an API, which its refusals lead to (RFC 9728). @param api URL of the API */
export async function serverOf(api: string): Promise<oauth.AuthorizationServer> {
  const refused = await requested(api, 'unknown').catch((error: unknown) => error);
  if (!(refused instanceof oauth.WWWAuthenticateChallengeError)) throw refused;
  const [bearer] = refused.cause.filter(({ scheme }) => scheme === 'bearer');
  const { origin, href } = new URL(bearer?.parameters['resource_metadata'] ?? '');
  const described = await fetch(href);
  const { authorization_servers = [] } = await oauth.processResourceDiscoveryResponse(
    new URL(origin),
    described,
  );
  const issuer = new URL(authorization_servers[0] ?? '');
  const found = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...INSECURE });
  return oauth.processDiscoveryResponse(issuer, found);
}

export const oauth4webapi: Client = async ({ way, id, secret, grant, api }) => {
  const server = await serverOf(api);
  const client = { client_id: id };
  const authentication = OF_OAUTH[way](secret);
  const { grant_type = '', ...parameters } = grant;
  const own = [server, client, authentication] as const;
  const { access_token } =
    grant_type === 'client_credentials'
      ? await oauth.processClientCredentialsResponse(
          server,
          client,
          await oauth.clientCredentialsGrantRequest(...own, parameters, INSECURE),
        )
      : await oauth.processGenericTokenEndpointResponse(
          server,
          client,
          await oauth.genericTokenEndpointRequest(...own, grant_type, parameters, INSECURE),
        );
  return (await requested(api, access_token)).text();
};
