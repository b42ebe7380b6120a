import { expect, test } from 'vitest';
import type { Failure } from '#lib/failure/failure';
import { parseExactly } from '#lib/input/exact-json';
import { parse } from '#lib/input/parse';
import { contract } from '#lib/trust/create.contract';
import type { Issuer, Platform } from '#lib/trust/issuers';
import { MAX_CLAIMS, MAX_MINUTES, MINUTES } from '#lib/trust/maxima';
import { checkRequirements, type Requirements } from '#lib/trust/rules';

const issuer = (platform: Platform): Issuer => ({
  name: platform,
  issuer: 'https://issuer.example.com',
  platform,
  single_use: false,
});

/** The faults of a body, as text of JSON: fields with their messages. */
function faultsOf(text: string): string[] {
  try {
    parse(contract.body(), parseExactly(text));
    return [];
  } catch (error) {
    return (error as Failure).errors?.map(({ field, message }) => `${field}: ${message}`) ?? [];
  }
}
const withSubject = (subject: string) => faultsOf(JSON.stringify({ issuer: 'ci', subject }));
const withClaims = (claims: string) => faultsOf(`{"issuer":"ci","subject":"x","claims":${claims}}`);

test('max_minutes is 1 to 60, and 15 by default', () => {
  expect([MAX_MINUTES, MINUTES]).toEqual([60, 15]);
  const minutes = (n: number) => faultsOf(`{"issuer":"ci","subject":"x","max_minutes":${n}}`);
  expect([1, 60].flatMap(minutes)).toEqual([]);
  expect([0, 61, 1.5].map((n) => minutes(n).length)).toEqual([1, 1, 1]);
});

test.each([
  'repo:octo/app:ref:refs/heads/main',
  'repo:octo/app:*',
  'repo:octo/*',
  'a',
  'arn:aws:sts::1:assumed-role/x/*',
])('a subject may be %s', (subject) => {
  expect(withSubject(subject)).toEqual([]);
});

test.each(['*', 'repo:octo/app*', 'repo:*/app', 'repo:octo/app:**', 'repo:*:*', 'a*:', 'main-*'])(
  'a subject may not be %s',
  (subject) => {
    expect(withSubject(subject)).toEqual([
      expect.stringMatching(/^subject: Must be exact, or end in one \*/),
    ]);
  },
);

test.each(['', ' ', ' x', 'x ', 'x\n', 'x\u0000'])('a subject may not be %j', (subject) => {
  expect(withSubject(subject)).toHaveLength(1);
});

test.each([
  '{}',
  '{"repository_id":"123"}',
  '{"a":"","b":1,"c":-0.5,"d":true,"e":null,"f":24.0,"g":9007199254740991}',
  '{"kubernetes.io":{"namespace":"prod","serviceaccount":{"name":"deploy"}}}',
  '{"https://sts.amazonaws.com/":{"aws_account":"123456789012"}}',
  '{"constructor_id":{"toString":"x"}}',
])('claims may be %s', (claims) => {
  expect(withClaims(claims)).toEqual([]);
});

test.each([
  ['{"a":["x"]}', 'claims.a: Must be a text, a number'],
  ['{"a":{"b":{"c":{"d":1}}}}', 'claims.a: Must be a text, a number'],
  ['{"a":1e400}', 'claims.a: Must be a text, a number'],
  ['{"a":1e-7}', 'claims.a: Must be a number without an exponent'],
  ['{"a":12345678901234567890}', 'claims.a: Must be a number without an exponent'],
  ['{"a":{}}', 'claims: Must not have an empty object'],
  ['{"":1}', 'claims'],
  [`{"a":"${'x'.repeat(2049)}"}`, 'claims.a'],
  ['[]', 'claims: Must be an object'],
  ['null', 'claims: Must be an object'],
])('claims may not be %s', (claims, fault) => {
  expect(withClaims(claims)).toEqual([expect.stringContaining(fault)]);
});

test('claims have at most 16 values at all levels together', () => {
  expect(MAX_CLAIMS).toBe(16);
  const some = (n: number) => Object.fromEntries(Array.from({ length: n }, (_, at) => [`c${at}`, at]));
  expect(withClaims(JSON.stringify({ ...some(8), o: { p: some(8) } }))).toEqual([]);
  expect(withClaims(JSON.stringify({ ...some(9), o: { p: some(8) } }))).toEqual([
    'claims: Must have at most 16 values',
  ]);
});

const ROLE = 'arn:aws:iam::123456789012:role/deploy';

test.each<[Platform, Requirements]>([
  ['github', { subject: 'repo:octo/app:*', claims: { repository_id: '1' } }],
  ['github', { subject: 'repo:octo@1/app@2:environment:prod', claims: { repository_owner_id: '1' } }],
  ['gitlab', { subject: 'project_path:a/b:*', claims: { project_id: '1', ref_protected: 'true' } }],
  ['gitlab', { subject: 'project_path:a/b:*', claims: { namespace_id: '1' } }],
  ['kubernetes', { subject: 'system:serviceaccount:prod:deploy' }],
  ['google', { subject: '104512312312312312312' }],
  ['aws', { subject: ROLE, claims: { 'https://sts.amazonaws.com/': { aws_account: '123456789012' } } }],
  ['aws', { subject: 'arn:aws-cn:iam::123456789012:role/path/deploy' }],
  ['aws', { subject: 'arn:aws:sts::123456789012:assumed-role/deploy/*' }],
  ['other', { subject: 'anything/*' }],
])('%s accepts %j', (platform, requirements) => {
  expect(() => checkRequirements(issuer(platform), requirements)).not.toThrow();
});

test.each<[Platform, Requirements, string, RegExp]>([
  ['github', { subject: 'repo:octo/app:*' }, 'claims', /repository_id or repository_owner_id/],
  ['github', { subject: 'x', claims: { repository: 'octo/app' } }, 'claims', /repository_id/],
  ['github', { subject: 'x', claims: { repository_id: 1 } }, 'claims.repository_id', /text in quotes/],
  ['github', { subject: 'x', claims: { repository_id: null } }, 'claims.repository_id', /text/],
  ['github', { subject: 'x', claims: { repository_id: 'octo/app' } }, 'claims.repository_id', /number/],
  ['github', { subject: 'x', claims: { a: { repository_id: '1' } } }, 'claims', /repository_id/],
  ['gitlab', { subject: 'project_path:a/b:*' }, 'claims', /project_id or namespace_id/],
  ['gitlab', { subject: 'x', claims: { repository_id: '1' } }, 'claims', /project_id/],
  ['kubernetes', { subject: 'system:serviceaccount:prod:*' }, 'subject', /each of them/],
  ['kubernetes', { subject: 'system:serviceaccount:*' }, 'subject', /each of them/],
  ['kubernetes', { subject: 'system:serviceaccount:prod:default' }, 'subject', /every pod/],
  ['kubernetes', { subject: 'prod/deploy' }, 'subject', /system:serviceaccount:/],
  ['google', { subject: 'ci@project.iam.gserviceaccount.com' }, 'subject', /uniqueId/],
  ['google', { subject: '1045/*' }, 'subject', /uniqueId/],
  ['google', { subject: '1', claims: { email: 'ci@x.example' } }, 'claims.email', /absent/],
  ['aws', { subject: 'arn:aws:iam::123456789012:role/*' }, 'subject', /each role/],
  ['aws', { subject: 'arn:aws:iam::123456789012:role/team/*' }, 'subject', /each role/],
  ['aws', { subject: 'arn:aws:iam::123456789012:*' }, 'subject', /ARN|each role/],
  ['aws', { subject: 'arn:aws:iam::*' }, 'subject', /ARN/],
  ['aws', { subject: 'arn:aws:sts::123456789012:assumed-role/*' }, 'subject', /each role/],
  ['aws', { subject: 'deploy' }, 'subject', /ARN/],
  ['other', { subject: 'x', claims: { sub: 'x' } }, 'claims.sub', /`subject`/],
  ['other', { subject: 'x', claims: { iss: 'x' } }, 'claims.iss', /`issuer`/],
  ['other', { subject: 'x', claims: { aud: 'x' } }, 'claims.aud', /settings/],
  ['other', { subject: 'x', claims: { exp: 1 } }, 'claims.exp', /every token/],
  ['other', { subject: 'x', claims: { jti: '1' } }, 'claims.jti', /every token/],
  ['other', { subject: 'x', claims: { subject_mode: 'x' } }, 'claims.subject_mode', /refused/],
  ['kubernetes', { subject: 'x', claims: { 'kubernetes.io.namespace': 'p' } }, 'claims', /object/],
  ['kubernetes', { subject: 'x', claims: { 'kubernetes.io/namespace': 'p' } }, 'claims', /object/],
  ['aws', { subject: ROLE, claims: { 'https://sts.amazonaws.com/aws_account': '1' } }, 'claims', /object/],
])('%s refuses %j', (platform, requirements, field, message) => {
  expect(() => checkRequirements(issuer(platform), requirements)).toThrow(
    expect.objectContaining({
      code: 'invalid_request',
      errors: [{ field, message: expect.stringMatching(message) }],
    }),
  );
});
