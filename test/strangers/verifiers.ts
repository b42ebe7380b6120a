import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createRemoteJWKSet, errors, jwtVerify } from 'jose';
import { listen } from '../../infra/local/machine/listen.ts';
import { CACHE, fillOnce } from '../cache.ts';
import { freePort } from '../free-port.ts';
import { newFolder } from '../unit/support/folder.ts';
import { GO, inPython, succeeds, withoutGo, withoutPython } from './clients.ts';

/** A service that accepts tokens, and who issues them. */
export interface Place {
  readonly issuer: string;
  readonly jwks_uri: string;
  readonly audience: string;
  /** How many seconds keys are cached; 0 for the default of the verifier. */
  readonly cache: number;
}

/** What a verifier has found in a token, or why it refuses the token. */
export type Verdict =
  | { readonly accepted: { readonly sub: string; readonly roles?: readonly string[] } }
  | { readonly refused: string };

export interface Running {
  readonly verify: (token: string) => Promise<Verdict>;
  readonly stop: () => Promise<void>;
  /** Fetches the keys again, where a program beside the verifier does it. */
  readonly fetchKeys?: () => Promise<void>;
}

/** A library or a proxy that verifies tokens by itself. */
export interface Verifier {
  readonly name: string;
  /** Why it cannot run, or undefined. */
  readonly missing: string | undefined;
  /** How many seconds after its end it still accepts a token, by default: clocks differ. */
  readonly leeway: number;
  readonly start: (place: Place) => Promise<Running>;
}

const run = promisify(execFile);
const PLACE = { cwd: import.meta.dirname };

/** Ends each when its standard input does, so that none outlives this process. */
async function end(child: ChildProcess): Promise<void> {
  child.stdin?.end();
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

/** A program that reads its place, then tokens, a line each, and answers each with a line. */
const program =
  (command: () => Promise<readonly [string, ...string[]]>, env = {}): Verifier['start'] =>
  async (place) => {
    const [file, ...args] = await command();
    const child = spawn(file, args, {
      ...PLACE,
      env: { ...process.env, ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const { stdin, stdout } = child;
    const answers = createInterface(stdout)[Symbol.asyncIterator]();
    stdin.write(`${JSON.stringify(place)}\n`);
    return {
      async verify(token) {
        stdin.write(`${token}\n`);
        const { value } = (await answers.next()) as { value?: string };
        if (value === undefined) throw new Error(`${file} has ended`);
        return JSON.parse(value) as Verdict;
      },
      stop: () => end(child),
    };
  };

const startJose: Verifier['start'] = async ({ issuer, jwks_uri, audience, cache }) => {
  const keys = createRemoteJWKSet(new URL(jwks_uri), cache > 0 ? { cacheMaxAge: cache * 1000 } : {});
  const options = { issuer, audience, algorithms: ['RS256'], typ: 'at+jwt', requiredClaims: ['sub', 'exp'] };
  return {
    async verify(token) {
      try {
        const { payload } = await jwtVerify<{ roles: string[] }>(token, keys, options);
        return { accepted: { sub: payload.sub as string, roles: payload.roles } };
      } catch (error) {
        if (!(error instanceof errors.JOSEError)) throw error;
        return { refused: error.message };
      }
    },
    stop: async () => {},
  };
};

let built: Promise<string> | undefined;

/** Takes a minute on a machine that has compiled nothing in Go yet. */
async function build(): Promise<string> {
  const file = join(newFolder(), 'go-oidc');
  await run('go', ['build', '-o', file, './go-oidc'], { ...PLACE, env: { ...process.env, ...GO } });
  return file;
}

const POM = join(import.meta.dirname, 'pom.xml');

/** The version and the hash of a file that Maven fetches. */
function nimbusOf(pom: string) {
  const [, version] = /<artifactId>nimbus-jose-jwt<\/artifactId>\s*<version>(.+)<\/version>/.exec(pom) ?? [];
  const [, hash] = /<nimbus.sha256>(\w+)</.exec(pom) ?? [];
  const folder = join(CACHE, `nimbus-jose-jwt-${version}`);
  return { version, hash, folder, jar: join(folder, `nimbus-jose-jwt-${version}.jar`) };
}

const nimbus = nimbusOf(readFileSync(POM, 'utf8'));
const COPY = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';

/** Installs the library with Maven. @returns why it cannot be used, or undefined */
function withoutNimbus(): string | undefined {
  if (!succeeds('java', '--version')) return 'needs a JDK of version 17 or later on the PATH';
  const fill = (folder: string) =>
    succeeds('mvn', '-B', '-q', '-f', POM, COPY, `-DoutputDirectory=${folder}`);
  if (!fillOnce(nimbus.folder, fill)) return 'could not install Nimbus with Maven';
  const hash = createHash('sha256').update(readFileSync(nimbus.jar)).digest('hex');
  return hash === nimbus.hash ? undefined : `${nimbus.jar} has another hash than pom.xml: ${hash}`;
}

/** What a proxy protects: it answers with the subject that the proxy names. */
async function startBackend() {
  const server = createServer(({ headers }, response) => {
    response.end(`${headers['x-subject'] ?? headers['x-token-sub'] ?? ''}`);
  });
  return listen(server);
}

/** Sends a request on a connection of its own, which a proxy that starts again cannot have closed. */
async function get(url: string, headers = {}) {
  const [response] = (await once(request(url, { agent: false, headers }).end(), 'response')) as [
    IncomingMessage,
  ];
  return { status: response.statusCode, text: (await response.toArray()).join('') };
}

/** Runs a program that does not read its input, and ends it with SIGTERM when the input ends. */
const UNTIL_EOF = 'exec 3<&0; (read _ <&3; kill $$) 2>/dev/null & exec "$@" </dev/null 3<&-';

/** Starts a proxy in front of a service. @param command starts it, in the foreground */
async function startProxy(
  { issuer, audience }: Place,
  env: Readonly<Record<string, string>>,
  command: readonly [string, ...string[]],
) {
  const backend = await startBackend();
  const address = `127.0.0.1:${await freePort()}`;
  const [file] = command;
  const child = spawn('sh', ['-c', UNTIL_EOF, 'sh', ...command], {
    ...PLACE,
    env: {
      ...process.env,
      LISTEN: address,
      BACKEND: new URL(backend.url).host,
      ISSUER: issuer,
      AUDIENCE: audience,
      ...env,
    },
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr.on('data', (text) => {
    output += text;
  });
  const url = `http://${address}/`;
  while ((await get(url).catch(() => undefined)) === undefined) {
    if (child.exitCode !== null) throw new Error(`${file} did not start: ${output}`);
    await sleep(50);
  }
  return {
    child,
    async verify(token: string): Promise<Verdict> {
      const { status, text } = await get(url, { authorization: `Bearer ${token}` });
      if (status === 200) return { accepted: { sub: text } };
      if (status !== 401) throw new Error(`${file} answers ${status}: ${text}`);
      return { refused: text };
    },
    async stop() {
      await end(child);
      await backend.close();
    },
  };
}

const APACHE_MODULES = '/usr/lib/apache2/modules';

const startApache: Verifier['start'] = async (place) => {
  const env = { FOLDER: newFolder(), MODULES: APACHE_MODULES, CACHE: `${place.cache || 300}` };
  const file = join(import.meta.dirname, 'apache.conf');
  return startProxy(place, env, ['apache2', '-f', file, '-DFOREGROUND']);
};

const startHaproxy: Verifier['start'] = async (place) => {
  const keys = join(newFolder(), 'keys');
  mkdirSync(keys);
  const fetchKeys = async () => {
    const fetching = spawn('python3', ['haproxy_keys.py', place.jwks_uri, keys], {
      ...PLACE,
      env: { ...process.env, ...inPython },
      stdio: 'inherit',
    });
    const [code] = (await once(fetching, 'exit')) as [number | null];
    return code === 0;
  };
  await fetchKeys();
  // Its master process starts the workers, and others in their place when it gets SIGUSR2: that is what systemd sends.
  const command = ['haproxy', '-W', '-db', '-f', join(import.meta.dirname, 'haproxy.cfg')] as const;
  const { child, ...running } = await startProxy(place, { KEYS: keys }, [...command]);
  return {
    ...running,
    async fetchKeys() {
      if (await fetchKeys()) child.kill('SIGUSR2');
    },
  };
};

async function goOidc() {
  built ??= build();
  return [await built] as const;
}

export const VERIFIERS: readonly Verifier[] = [
  { name: 'go-oidc', missing: withoutGo, leeway: 0, start: program(goOidc) },
  {
    name: 'Nimbus JOSE + JWT',
    missing: withoutNimbus(),
    leeway: 60,
    start: program(async () => ['java', '-cp', nimbus.jar, 'Nimbus.java']),
  },
  {
    name: 'PyJWT',
    missing: withoutPython,
    leeway: 0,
    start: program(async () => ['python3', 'pyjwt_verifier.py'], inPython),
  },
  {
    name: 'Authlib',
    missing: withoutPython,
    leeway: 0,
    start: program(async () => ['python3', 'authlib_verifier.py'], inPython),
  },
  { name: 'jose', missing: undefined, leeway: 0, start: startJose },
  {
    name: 'Apache',
    missing: existsSync(join(APACHE_MODULES, 'mod_oauth2.so'))
      ? undefined
      : 'needs libapache2-mod-oauth2 of Debian',
    leeway: 0,
    start: startApache,
  },
  {
    name: 'HAProxy',
    missing: withoutPython ?? (succeeds('haproxy', '-v') ? undefined : 'needs haproxy on the PATH'),
    leeway: 0,
    start: startHaproxy,
  },
];
