import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { snippetOf, type Use } from '../../../infra/admin-page/trusts/snippets.ts';
import { listen, readBody } from '../../../infra/local/machine/listen.ts';

const run = promisify(execFile);

const AUDIENCE = 'https://accounts.example.com/?a=1&b=2';

const SUBJECTS = {
  github: 'repo:octo-org@1/octo-repo@2:ref:refs/heads/main',
  gitlab: 'project_path:group/project:ref_type:branch:ref:main',
  kubernetes: 'system:serviceaccount:jobs:report',
  google: '112233445566778899001',
  aws: 'arn:aws:iam::123456789012:role/report',
  other: 'job:7',
} as const;

const useOf = (platform: keyof typeof SUBJECTS, rest: Partial<Use> = {}): Use => ({
  client: 'deploy@ci+eu',
  subject: SUBJECTS[platform],
  audience: AUDIENCE,
  url: 'https://accounts.example.com',
  ...rest,
});

/** A service that gives platform tokens, exchanges them, and answers the profile to the session. */
async function openService() {
  const seen: object[] = [];
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(`${request.url}`, 'http://localhost');
    const { authorization } = request.headers;
    const form = Object.fromEntries(new URLSearchParams(String(await readBody(request, 2 ** 20))));
    seen.push({ path: pathname, authorization, ...Object.fromEntries(searchParams), ...form });
    const isRefused = form['client_id']?.startsWith('wrong@');
    const answer = {
      '/token': { count: 1, value: 'ey.platform' },
      '/api/core/oauth/token': { access_token: 'ey.session' },
    };
    response.statusCode = isRefused ? 400 : 200;
    response.end(
      JSON.stringify(isRefused ? { error: 'invalid_grant' } : answer[pathname as '/token']) ?? 'the profile',
    );
  });
  const { url, close } = await listen(server);
  onTestFinished(async () => {
    server.closeAllConnections();
    await close();
  });
  return { url, seen };
}

/** The lines of a block of YAML. */
const blockOf = (text: string, begin: RegExp) => {
  const [, rest = ''] = text.split(begin);
  const indent = /^ */.exec(rest)?.[0] ?? '';
  const lines = rest.split('\n');
  return lines
    .slice(
      0,
      lines.findIndex((line) => !line.startsWith(indent)),
    )
    .map((line) => line.slice(indent.length))
    .join('\n');
};

const EXCHANGE = {
  path: '/api/core/oauth/token',
  authorization: undefined,
  grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
  client_id: 'deploy@ci+eu',
  assertion: 'ey.platform',
};
const CALL = { path: '/api/core/account/profile', authorization: 'Bearer ey.session' };

test('the step of the GitHub workflow asks for its token, exchanges it and calls', async () => {
  const { url, seen } = await openService();
  const { text } = snippetOf('github', useOf('github', { url }));
  const env = {
    PATH: process.env['PATH'],
    ACTIONS_ID_TOKEN_REQUEST_URL: `${url}/token?api-version=2.0`,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'runner',
  };
  const { stdout } = await run('bash', ['-e', '-c', blockOf(text, /- run: \|\n/)], { env });
  expect(seen).toEqual([
    { path: '/token', authorization: 'Bearer runner', 'api-version': '2.0', audience: AUDIENCE },
    EXCHANGE,
    CALL,
  ]);
  expect(stdout).toBe('the profile');
});

test('the script of the GitLab job exchanges its token and calls in a plain shell', async () => {
  const { url, seen } = await openService();
  const { text } = snippetOf('gitlab', useOf('gitlab', { url }));
  const env = { PATH: process.env['PATH'], TOKEN: 'ey.platform' };
  await run('sh', ['-e', '-c', blockOf(text, /- \|\n/)], { env });
  expect(seen).toEqual([EXCHANGE, CALL]);
});

test('a script that is refused ends with the answer of the service, and calls nothing', async () => {
  const { url, seen } = await openService();
  const { text } = snippetOf('gitlab', useOf('gitlab', { url, client: 'wrong@ci' }));
  const env = { PATH: process.env['PATH'], TOKEN: 'ey.platform' };
  const failed = await run('sh', ['-e', '-c', blockOf(text, /- \|\n/)], { env }).catch((error) => error);
  expect([failed.code > 0, failed.stderr.includes('{"error":"invalid_grant"}'), seen.length]).toEqual([
    true,
    true,
    1,
  ]);
});

test.each(Object.keys(SUBJECTS) as (keyof typeof SUBJECTS)[])(
  'the snippet of %s names the trust, the audience and the service',
  (platform) => {
    const { text } = snippetOf(platform, useOf(platform));
    for (const part of [
      'client_id=deploy@ci+eu',
      AUDIENCE,
      "'https://accounts.example.com/api/core/oauth/token'",
    ])
      expect(text).toContain(part);
  },
);

test.each([
  ['github', 'repo:o/n:ref:refs/heads/main', ['branches: ["main"]', 'id-token: write']],
  ['github', 'repo:o@1/n@2:environment:prod%3Aeu', ['environment: "prod:eu"', 'workflow_dispatch:']],
  [
    'gitlab',
    'project_path:g/p:ref_type:branch:ref:main',
    ['"$CI_COMMIT_BRANCH == \\"main\\""', 'id_tokens:'],
  ],
  ['gitlab', 'project_path:g/p:ref_type:branch:ref:release/*', ['if: "$CI_COMMIT_BRANCH"\n']],
  [
    'kubernetes',
    SUBJECTS.kubernetes,
    ['namespace: "jobs"', 'serviceAccountName: "report"', 'serviceAccountToken:'],
  ],
  ['google', SUBJECTS.google, ['http://metadata.google.internal/', 'Metadata-Flavor: Google']],
  ['aws', SUBJECTS.aws, ['aws sts get-web-identity-token', '--signing-algorithm ES384']],
] as const)('the snippet of %s is for the subject %s', (platform, subject, parts) => {
  const { text } = snippetOf(platform, useOf(platform, { subject }));
  for (const part of parts) expect(text).toContain(part);
});

test('a quote in an audience stays one word of the shell', async () => {
  const { text } = snippetOf('aws', useOf('aws', { audience: "it's" }));
  const line = `${text.split(' --signing-algorithm')[0]}`
    .replace('TOKEN=$(aws sts get-web-identity-token', 'printf "%s\\n"')
    .replace('\\\n ', '');
  expect((await run('sh', ['-c', line])).stdout).toBe("--audience\nit's\n");
});
