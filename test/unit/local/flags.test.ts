import { expect, test, vi } from 'vitest';
import { readOptions } from '#infra/local/flags';

const refusalOf = (argv: readonly string[], env: Record<string, string>) => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    return [readOptions(argv, env), write.mock.calls.map(([text]) => text).join('')];
  } finally {
    write.mockRestore();
  }
};

test.each([
  ['--port <port>', ['3001'], { npm_config_port: '3001' }],
  ['--enforce-iam', [], { npm_config_enforce_iam: 'true' }],
  ['--no-demo', [], { npm_config_demo: '' }],
  ['--issuer [port]', [], { npm_config_issuer: 'true' }],
])('readOptions names the place of %s when npm has taken it', (flags, argv, env) => {
  const [long] = flags.split(' ');
  const text = `error: npm takes ${long} for its own: write "npm start -- ${flags}"\n`;
  expect(refusalOf(argv, env)).toEqual([2, text]);
});

test('readOptions ignores settings of npm beside its own options', () => {
  const env = { npm_config_port: '3001', npm_config_cache: '/cache' };
  expect(readOptions(['--port', '3002'], env)).toMatchObject({ port: 3002 });
});

test.each([
  [[], undefined],
  [['--issuer'], 3100],
  [['--issuer', '0'], 0],
  [['--issuer', '--port', '3002'], 3100],
])('readOptions gives the issuers of %j the port %s', (argv, issuer) => {
  expect(readOptions(argv)).toHaveProperty('port');
  expect((readOptions(argv) as { issuer?: number }).issuer).toBe(issuer);
});
