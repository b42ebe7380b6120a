import { expect, test } from 'vitest';
import { withoutCredentials } from '#lib/log/redact';
import { generateCode } from '#lib/password/code';
import { signSession } from '#lib/session/session-token';
import { generateApiToken } from '#lib/token/secret';
import { seededBytes } from '../../names.ts';
import { newPair } from '../session/forge.ts';

const { privateKey: key } = newPair();
const issuer = { instanceName: 'one', now: () => 0, uuid: () => 'jti' };
const session = () =>
  signSession(issuer, { kid: 'key-1', key }, { sub: 'id', name: 'ada', sst: 'stamp' }, 1_795_152_600, 3600);
const token = () => generateApiToken(seededBytes);
const basic = () => Buffer.from(`api:${token()}`).toString('base64');
const code = () => generateCode(seededBytes);

/** Every kind of credential that the service issues, in each form in which it is sent. */
const ISSUED: Readonly<Record<string, () => string | Promise<string>>> = {
  'an API token': token,
  'an API token that an OAuth client has encoded': () => token().replace('_', '%5F'),
  'the password of a Basic header': basic,
  'a session': session,
  'a one-time code': code,
};

test.each(Object.entries(ISSUED))('withoutCredentials removes %s as it is issued', async (_kind, issue) => {
  for (let n = 0; n < 200; n++) {
    const [one, other] = [await issue(), await issue()];
    expect(withoutCredentials(one)).toBe('[redacted]');
    expect(withoutCredentials(`Mail of 3 May: ${one}, "${other}". Leaked!`)).toBe(
      'Mail of 3 May: [redacted], "[redacted]". Leaked!',
    );
  }
});

test('withoutCredentials removes a credential in a header, a query and a cookie', async () => {
  const [secret, jwt] = [token(), await session()];
  expect(withoutCredentials(`Token ${secret}; Basic ${basic()}`)).toBe('Token [redacted]; Basic [redacted]');
  expect(withoutCredentials(`/ping?ptoken=api:${secret}&x`)).toBe('/ping?ptoken=api:[redacted]&x');
  expect(withoutCredentials(`Cookie: ptoken=${jwt}; Path=/`)).toBe('Cookie: ptoken=[redacted]; Path=/');
});

const SENTENCES = [
  'She lost the token of her laptop',
  'Basic training until May',
  'Case CASE-2024-0117',
  'Bearer of the keys has left',
  'The bearer token policy was not read',
  'Token ring in building 4 is down',
  'basic account, no licence',
  'BASIC COURSE IN JULY',
  'Bearer Müller and Token Smith are on leave',
  'Ticket TEST-CASE-2024',
  'Ticket 2024-0117-0042',
  'See REQ-1234-5678-9012 and 1234-5678-9012',
  'Call 0171-2345-6789 first',
  'CASE-2024-0117, MEMO-2023-0009 and TASK-ABCD-0001',
  'HANS-PETE-MARX left the team',
  'Asset E29BAAAA-E29B-41D4-A716-446655440000',
  'Invoice 2024-A1',
  'The account cst_ada was a test',
  'cst_ is the prefix of our tokens',
  'Prefix eyJ means a JWT',
  'eyJohn.smith.example forgot it',
  'hey Jude, see eyJude.a.b',
  'Password hash $2b$12$ is too cheap',
  'Her key "d": "lost"',
  'Parental leave (Basic Act §15)',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Mobile/15E148 Safari/604.1',
  'Basic HTTP client/1.0 (token service; +https://example.com/bot)',
  'aws-sdk-js/3.1169.0 md/nodejs#24.21.0 token/refresh',
  'トークンを紛失 – Token verloren',
  `Mistyped: ${'cst_'}${'x'.repeat(36)}`,
  '',
];

test.each(SENTENCES)('withoutCredentials keeps %j', (sentence) => {
  expect(withoutCredentials(sentence)).toBe(sentence);
});

test('withoutCredentials takes linear time: in quadratic time, this takes an hour', () => {
  for (const part of ['eyJ', 'eyJ.', 'cst_', 'YXBpOmNzdF', 'ABC1-', 'a1', `eyJ${'a'.repeat(16)}.`])
    expect(withoutCredentials(part.repeat(5e5)).length).toBeGreaterThan(0);
});
