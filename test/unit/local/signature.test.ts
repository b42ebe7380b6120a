import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { isSecret, newSecret, sign, verify } from '#infra/local/services/signature';

const NOW = Date.parse('2026-11-20T05:30:00.999Z');
const secret = newSecret();
const body = '{"detail":{"id":"1","name":"Ünal"}}';
const headers = sign('msg_1', body, secret, NOW);
const at = (now: number) => ({ now });

test('a post is signed as Standard Webhooks describes it', () => {
  // The example of its reference implementations.
  const example = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
  const sentAt = 1_614_265_330_000;
  const signed = sign(id, '{"test": 2432232314}', example, sentAt);
  expect(signed).toEqual({
    'webhook-id': id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
  expect(verify({ ...signed }, '{"test": 2432232314}', example, at(sentAt))).toEqual({ id, sentAt });
});

test.each([
  ['text', { ...headers }, body],
  ['bytes', { ...headers }, new TextEncoder().encode(body)],
  ['Headers', new Headers({ ...headers }), body],
  [
    'one signature of several',
    { ...headers, 'webhook-signature': `v1a,x v1,AAAA ${headers['webhook-signature']}` },
    body,
  ],
])('a post is believed: %s', (_, given, sent) => {
  expect(verify(given, sent, secret, at(NOW))).toEqual({ id: 'msg_1', sentAt: NOW - 999 });
});

describe('a post is not believed', () => {
  const later = { ...headers, 'webhook-timestamp': String(Math.floor(NOW / 1000) + 600) };
  const other = createHmac('sha256', 'x').update('x').digest('base64');

  test.each([
    ['another secret', headers, body, newSecret(), NOW],
    ['an altered body', headers, body.replace('1', '2'), secret, NOW],
    ['the same JSON, written otherwise', headers, body.replace(':', ': '), secret, NOW],
    ['another id, so that it counts as new', { ...headers, 'webhook-id': 'msg_2' }, body, secret, NOW],
    ['replayed after five minutes', headers, body, secret, NOW + 301_000],
    ['from the future', headers, body, secret, NOW - 302_000],
    ['replayed later under a later time', later, body, secret, NOW + 600_000],
    ['no signature', { ...headers, 'webhook-signature': undefined }, body, secret, NOW],
    ['no id', { ...headers, 'webhook-id': '' }, body, secret, NOW],
    ['an id that comes twice', { ...headers, 'webhook-id': ['a', 'b'] }, body, secret, NOW],
    ['an empty signature', { ...headers, 'webhook-signature': 'v1,' }, body, secret, NOW],
    ['a random signature', { ...headers, 'webhook-signature': `v1,${other}` }, body, secret, NOW],
    [
      'a signature of another version',
      { ...headers, 'webhook-signature': headers['webhook-signature'].replace('v1', 'v2') },
      body,
      secret,
      NOW,
    ],
    [
      'a time that is no number',
      { ...sign('m', body, secret, Number.NaN), 'webhook-id': 'm' },
      body,
      secret,
      NOW,
    ],
  ])('%s', (_, given, sent, key, now) => {
    expect(() => verify({ ...given }, sent, key, at(now))).toThrow(
      expect.objectContaining({ name: 'SignatureRefused' }),
    );
  });
});

test('a post that is replayed within five minutes has the id that it had', () => {
  const again = verify({ ...headers }, body, secret, at(NOW + 299_000));
  expect(again).toEqual(verify({ ...headers }, body, secret, at(NOW)));
});

test.each([
  [newSecret(), true],
  [`whsec_${Buffer.alloc(24).toString('base64')}`, true],
  [`whsec_${Buffer.alloc(64).toString('base64')}`, true],
  [`whsec_${Buffer.alloc(23).toString('base64')}`, false],
  [`whsec_${Buffer.alloc(65).toString('base64')}`, false],
  [`whsec_${'a'.repeat(33)}`, false],
  [Buffer.alloc(32).toString('base64'), false],
  ['whsec_', false],
  ['', false],
])('%s is a secret: %s', (text, expected) => {
  expect(isSecret(text)).toBe(expected);
});

test('what is wrong with a secret is said without it', () => {
  expect(() => sign('m', body, 'guessable', NOW)).toThrow(/^The secret must be whsec_ and 24 to 64 bytes/);
});
