import { beforeEach, expect, test, vi } from 'vitest';
import {
  type Answers,
  all,
  dialogs,
  field,
  fill,
  openPage,
  perform,
  press,
  type Sent,
  settle,
  texts,
} from './opened.ts';

const CONFIRM = 'Confirm with your passkey';

/** What the page has asked the browser for; a test may answer it later. */
interface AskedFor {
  readonly how: 'create' | 'get';
  readonly mediation: string | undefined;
  readonly signal: AbortSignal;
  readonly publicKey: { readonly challenge: Uint8Array };
  readonly give: (credential?: unknown) => void;
  readonly fail: (failure: unknown) => void;
}

const bytes = (text: string) => new TextEncoder().encode(text).buffer;
const base64url = (text: string) => Buffer.from(text).toString('base64url');

/** What a browser answers, as the service gets it. */
const KEY = { id: base64url('key'), rawId: base64url('key'), type: 'public-key' };
const RESPONSES = {
  get: { clientDataJSON: 'client', authenticatorData: 'data', signature: 'signed?>', userHandle: 'ada' },
  create: { clientDataJSON: 'client', attestationObject: 'object' },
};
const encoded = (how: 'get' | 'create') =>
  Object.fromEntries(Object.entries(RESPONSES[how]).map(([name, text]) => [name, base64url(text)]));
const ASSERTION = { ...KEY, response: encoded('get') };
const ATTESTATION = { ...KEY, response: { ...encoded('create'), transports: ['internal'] } };

/** A credential with the members that every browser has. */
const credentialOf = (how: 'get' | 'create') => ({
  id: KEY.id,
  rawId: bytes('key'),
  type: 'public-key',
  response: {
    ...Object.fromEntries(Object.entries(RESPONSES[how]).map(([name, text]) => [name, bytes(text)])),
    getTransports: () => ['internal'],
  },
});

let askedFor: AskedFor[] = [];
let reported: [string, object][] = [];
let isConditional = false;

/** A browser with passkeys, whose person has not yet done anything. */
function scriptBrowser() {
  const ask =
    (how: AskedFor['how']) =>
    ({ mediation, signal, publicKey }: Pick<AskedFor, 'mediation' | 'signal' | 'publicKey'>) => {
      const { promise, resolve, reject } = Promise.withResolvers();
      signal.addEventListener('abort', () => reject(signal.reason));
      const give = (credential: unknown = credentialOf(how)) => resolve(credential);
      askedFor.push({ how, mediation, signal, publicKey, give, fail: reject });
      return promise;
    };
  const note = (name: string) => async (about: object) => {
    reported.push([name, about]);
  };
  vi.stubGlobal('PublicKeyCredential', {
    isConditionalMediationAvailable: async () => isConditional,
    signalUnknownCredential: note('unknown'),
    signalAllAcceptedCredentials: note('accepted'),
  });
  Object.defineProperty(navigator, 'credentials', {
    configurable: true,
    value: { get: ask('get'), create: ask('create') },
  });
}

beforeEach(() => {
  askedFor = [];
  reported = [];
  isConditional = false;
  scriptBrowser();
});

const OPTIONS = {
  options: { challenge: base64url('\u00fb\u00ff?'), rp: { id: 'localhost' }, user: { id: base64url('ada') } },
};
const KNOWN: Answers = {
  'account/passkey/options': () => OPTIONS,
  'account/passkeys': () => ({ items: [] }),
};

const lacking = (requests: readonly (Sent | undefined)[], lacks = 'amr') => {
  for (const each of requests) each?.refuse(403, 'step_up_required', [{ field: lacks, message: 'x' }]);
  return settle();
};

/** Does what the device asks for. */
async function touch() {
  askedFor.at(-1)?.give();
  await settle();
}

/** Gives the passkey that the page asks for. */
async function confirm(of: (path: string) => readonly Sent[]) {
  await press('Use passkey');
  await touch();
  of('account/passkey/assert').at(-1)?.answer({ username: 'ada' });
  await settle();
}

/** Opens a screen whose action needs a passkey, and sends it. */
async function createTeam() {
  const page = await openPage({
    address: '#teams',
    answers: { ...KNOWN, 'team/browse': () => ({ items: [] }) },
  });
  await perform('Create team', { 'Short name': 'ops', Name: 'Operations', Type: 'department' });
  return page;
}

test('a refused request asks for a passkey, is sent again as it was, and reports its answer', async () => {
  const { of } = await createTeam();
  await lacking(of('team/create'));
  expect(dialogs()).toEqual(['Create team', CONFIRM]);
  await press('Use passkey');
  expect(of('account/passkey/options').map(({ body, credentials }) => [body, credentials])).toEqual([
    [{ purpose: 'assert' }, undefined],
  ]);
  await touch();
  expect(of('account/passkey/assert').map(({ body }) => body)).toEqual([
    { credential: ASSERTION, createCookie: true },
  ]);
  expect(of('team/create')).toHaveLength(1);
  of('account/passkey/assert')[0]?.answer({ username: 'ada' });
  await settle();
  const [one, two] = of('team/create') as [Sent, Sent];
  expect(two.body).toEqual(one.body);
  two.answer({}, 'Team Created');
  await settle();
  expect([dialogs(), texts('.notice span')]).toEqual([
    [],
    ['The team Operations is created. Add its people.'],
  ]);
});

/** A session token with this ID. */
const tokenOf = (jti: string) => `x.${btoa(JSON.stringify({ jti }))}.x`;

const [FORMER, NEXT] = ['0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b', '0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5c'];

test('the session of a passkey replaces that of the browser, which ends, also for requests on their way', async () => {
  const { of } = await openPage({ address: '#account?username=bob', session: FORMER, answers: KNOWN });
  const [waiting] = of('account/browse');
  const [profile] = of('account/profile/bob');
  await lacking([profile]);
  await press('Use passkey');
  await touch();
  of('account/passkey/assert')[0]?.answer({ username: 'ada', JWTtoken: tokenOf(NEXT) });
  await settle();
  expect(of('account/sessions/end').map(({ path }) => path)).toEqual([`account/sessions/end/${FORMER}`]);
  waiting?.refuse(401, 'unauthenticated');
  await settle();
  expect([dialogs(), of('account/browse').length]).toEqual([[], 2]);
});

test('a request that is refused after the passkey, too, is not sent a third time', async () => {
  const { of } = await createTeam();
  await lacking(of('team/create'));
  await confirm(of);
  await lacking([of('team/create')[1]], 'auth_time');
  expect([dialogs(), of('team/create')]).toEqual([['Create team'], expect.any(Array)]);
  expect(of('team/create')).toHaveLength(2);
  expect(texts('[role=alert] div')).toEqual(['Not done: it has to be confirmed with a passkey.']);
});

test('a creation has the same Idempotency-Key after the passkey', async () => {
  const { of } = await openPage({ address: '#invite', answers: KNOWN });
  await fill({ 'First name': 'Bo', 'Last name': 'B', Username: 'bo' });
  await press('Invite');
  await lacking(of('account/create'));
  await confirm(of);
  const keys = of('account/create').map(({ headers }) => headers.get('idempotency-key'));
  expect([keys.length, new Set(keys).size, keys[0]]).toEqual([2, 1, expect.any(String)]);
});

test.each(['Back', 'Escape'])('%s leads back to the dialog, where what was typed is', async (way) => {
  const { of } = await createTeam();
  await lacking(of('team/create'));
  if (way === 'Back') await press('Back');
  else
    all('dialog')
      .at(-1)
      ?.dispatchEvent(new Event('cancel', { cancelable: true }));
  await settle();
  expect([dialogs(), field('Name').value]).toEqual([['Create team'], 'Operations']);
  expect(texts('[role=alert] div')).toEqual(['Not done: it has to be confirmed with a passkey.']);
  await press('Create team');
  await lacking([of('team/create')[1]]);
  expect(dialogs()).toEqual(['Create team', CONFIRM]);
});

test('a passkey that the person cancels can be used again', async () => {
  const { of } = await createTeam();
  await lacking(of('team/create'));
  await press('Use passkey');
  askedFor[0]?.fail(new DOMException('The request is not allowed', 'NotAllowedError'));
  await settle();
  expect(texts('[role=alert]')).toEqual([
    'Your passkey was not used: it was cancelled, or it took too long.',
  ]);
  await confirm(of);
  expect([dialogs(), of('team/create').length]).toEqual([['Create team'], 2]);
});

test('a question ends when its screen is left', async () => {
  const { of } = await createTeam();
  await lacking(of('team/create'));
  await press('People');
  expect([dialogs(), of('team/create').length]).toEqual([[], 1]);
});

test('an account without a passkey is led to its passkeys in another tab, and nothing asks for one', async () => {
  const { of } = await createTeam();
  await lacking(of('team/create'), 'passkey');
  expect([dialogs(), field('Name').value]).toEqual([['Create team'], 'Operations']);
  const [link] = all('[role=alert] a') as HTMLAnchorElement[];
  expect([link?.hash, link?.target]).toEqual(['#me?part=passkeys', '_blank']);
});

const PEOPLE = Array.from({ length: 9 }, (_, index) => ({
  id: `${index}`,
  username: `bo-${index}`,
  isactive: true,
  islocked: false,
}));

/** Locks nine people at once, which needs a passkey. */
async function lockAll() {
  const page = await openPage({
    address: '#accounts',
    answers: { ...KNOWN, 'account/browse': () => ({ items: PEOPLE }) },
  });
  for (const box of all('[aria-label="Select all on this page"]')) box.click();
  await settle();
  await perform('Lock');
  return page;
}

test('a change of several accounts asks once, and goes on', async () => {
  const { of } = await lockAll();
  expect(of('account/lock')).toHaveLength(4);
  const [first, ...late] = of('account/lock');
  await lacking([first]);
  await lacking(late.slice(0, 2));
  expect(dialogs().filter((title) => title === CONFIRM)).toEqual([CONFIRM]);
  await confirm(of);
  // Refused by the earlier session, it asks no more.
  await lacking(late.slice(2));
  expect(dialogs()).not.toContain(CONFIRM);
  for (let next = 0; next < of('account/lock').length; next++) {
    of('account/lock')[next]?.answer({ changed: true });
    await settle();
  }
  expect(of('account/passkey/assert')).toHaveLength(1);
  expect(texts('dialog p')[0]).toBe('You locked 9 people.');
});

test('a change of several accounts stops where the person declines, and sends no more', async () => {
  const { of } = await lockAll();
  const sent = of('account/lock');
  await lacking(sent.slice(0, 3));
  await press('Back');
  await lacking(sent.slice(3));
  expect([of('account/lock').length, dialogs()]).toEqual([4, ['Lock']]);
  expect(texts('dialog p')[0]).toBe('It failed for 9 people, who are still selected.');
});

/** Opens the own passkeys. */
const openOwn = (items: readonly object[] = []) =>
  openPage({
    address: '#me?part=passkeys',
    answers: { 'account/passkeys': () => ({ items }) },
  });

const LAPTOP = {
  name: 'laptop',
  created_at: '2026-01-01T00:00:00Z',
  used_at: null,
  rp_id: 'localhost',
  usable: true,
  transports: [],
  backup_eligible: true,
  backed_up: true,
  counter_fell_at: null,
};

test('passkeys show where they are, and at which address they work', async () => {
  await openOwn([
    LAPTOP,
    { ...LAPTOP, name: 'phone', backed_up: false },
    { ...LAPTOP, name: 'key', backup_eligible: false, backed_up: false, rp_id: 'example.com', usable: false },
  ]);
  expect(texts('tbody th')).toEqual(['laptop', 'phone', 'key works at example.com only, not here']);
  expect(texts('[data-label=Synced]')).toEqual(['Yes, on several devices', 'Not yet', 'No, on one device']);
  expect(texts('[data-label="Last used"]')).toEqual(['never', 'never', 'never']);
});

test('a passkey that is refused because of its counter shows why, and what to do', async () => {
  await openOwn([
    { ...LAPTOP, counter_fell_at: '2026-01-02T00:00:00Z' },
    { ...LAPTOP, name: 'phone' },
  ]);
  const [laptop = '', phone] = texts('tbody th');
  expect([phone, laptop.slice(0, 'laptopRefused since '.length)]).toEqual(['phone', 'laptopRefused since ']);
  expect(laptop).toContain('The device was reset, or somebody has a copy of it. Remove the passkey');
});

test('the first passkey needs the password again after a while, and keeps the name that was typed', async () => {
  const { of } = await openOwn();
  await perform('Create passkey', { Name: 'laptop' });
  of('account/passkey/options')[0]?.refuse(403, 'forbidden', [{ field: 'session', message: 'log in again' }]);
  await settle();
  expect(dialogs()).toEqual(['Create passkey', 'Log in again']);
  await fill({ Password: 'correct horse' });
  await press('Log in');
  of('account/login')[0]?.answer({});
  await settle();
  expect([dialogs(), field('Name').value]).toEqual([['Create passkey'], 'laptop']);
  of('account/passkey/options')[1]?.answer(OPTIONS);
  await settle();
  await touch();
  expect(of('account/passkey/create').map(({ path, body }) => [path, body])).toEqual([
    ['account/passkey/create/laptop', { credential: ATTESTATION }],
  ]);
  of('account/passkey/create')[0]?.answer({});
  await settle();
  expect([dialogs(), of('account/passkeys').length]).toEqual([[], 2]);
});

test('a further passkey gets another name, and is not created under one that exists', async () => {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (Macintosh) Chrome/140');
  await openOwn([{ ...LAPTOP, name: 'Chrome on macOS' }]);
  await press('Create passkey');
  expect(field('Name').value).toBe('Chrome on macOS 2');
  for (const [name, message] of [
    ['Chrome on macOS', 'You have a passkey with this name. Choose another.'],
    [' CHROME on MacOS ', 'You have a passkey with this name. Choose another.'],
    ['\u3164', 'A passkey cannot have this name. Choose another.'],
    ['..', 'A passkey cannot have this name. Choose another.'],
  ]) {
    await fill({ Name: `${name}` });
    await press('Create passkey');
    expect([askedFor, texts('[role=alert]')]).toEqual([[], [message]]);
  }
  vi.restoreAllMocks();
});

test.each([
  ['Anna’s iPhone', true],
  ['\u{1f511}'.repeat(50), true],
  ['\u{1f511}'.repeat(51), false],
  ['a/b', false],
  ['a\\b', false],
  ['a\u202eb', false],
])('the form accepts the name %s for a passkey: %s', async (name, isValid) => {
  await openOwn();
  await press('Create passkey');
  const { pattern } = field('Name') as HTMLInputElement;
  // As browsers read the attribute.
  expect(new RegExp(`^(?:${pattern})$`, 'v').test(name)).toBe(isValid);
});

test('a new passkey is sent under a name of any script', async () => {
  const { of } = await openOwn();
  await perform('Create passkey', { Name: ' Büro 50% \u{1f511} ' });
  of('account/passkey/options')[0]?.answer(OPTIONS);
  await settle();
  await touch();
  expect(of('account/passkey/create').map(({ path }) => path)).toEqual([
    `account/passkey/create/${encodeURIComponent('Büro 50% \u{1f511}')}`,
  ]);
});

test.each([
  ['forgets', 'refuses', 409, [['unknown', { rpId: 'localhost', credentialId: KEY.id }]]],
  ['keeps', 'may have stored', 503, []],
])('a browser %s a passkey that the service %s', async (_does, _did, status, expected) => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const { of } = await openOwn();
  await perform('Create passkey', { Name: 'laptop' });
  of('account/passkey/options')[0]?.answer(OPTIONS);
  await settle();
  await touch();
  for (let tries = 0; tries < 3; tries++) {
    of('account/passkey/create')[tries]?.refuse(status, status === 409 ? 'passkey_exists' : 'unavailable');
    await settle();
    vi.runAllTimers();
    await settle();
  }
  vi.useRealTimers();
  expect(texts('[role=alert] div')).toHaveLength(1);
  expect(reported).toEqual(expected);
});

/** Removes the last passkey of a list, which is then loaded again. */
async function removeLast(list: object, address: string) {
  const bob = { id: 'b-1', username: 'bob', isactive: true, islocked: false };
  const { of } = await openPage({
    address,
    answers: {
      'account/browse': () => ({ items: [bob] }),
      'account/profile/bob': () => ({ user: bob, roles: [], teams: [], apps: [] }),
    },
  });
  of('account/passkeys')[0]?.answer(list);
  await settle();
  reported = [];
  await perform('Remove passkey');
  of('account/passkey/delete')[0]?.answer({});
  await settle();
  return of;
}

const OWN = { rp_id: 'localhost', user_handle: base64url('ada') };
const [KNOWN_LAPTOP, KNOWN_PHONE] = [
  { ...LAPTOP, credential_id: KEY.id },
  { ...LAPTOP, name: 'phone', credential_id: base64url('phone') },
];
const MOVED = {
  ...LAPTOP,
  name: 'old',
  usable: false,
  rp_id: 'example.com',
  credential_id: base64url('old'),
};

test('the removal of an own passkey is told to the device at once, and then which ones are left', async () => {
  const of = await removeLast({ ...OWN, items: [MOVED, KNOWN_PHONE, KNOWN_LAPTOP] }, '#me?part=passkeys');
  expect(of('account/passkey/delete').map(({ path }) => path)).toEqual(['account/passkey/delete/laptop/ada']);
  expect(reported).toEqual([['unknown', { rpId: 'localhost', credentialId: KEY.id }]]);
  of('account/passkeys')[1]?.answer({ ...OWN, items: [KNOWN_PHONE, MOVED] });
  await settle();
  const accepted = {
    rpId: 'localhost',
    userId: OWN.user_handle,
    allAcceptedCredentialIds: [KNOWN_PHONE.credential_id],
  };
  expect(reported.slice(1)).toEqual([['accepted', accepted]]);
});

test('the removal of the passkey of another person tells this device nothing', async () => {
  const of = await removeLast({ items: [LAPTOP] }, '#account?username=bob&part=access');
  of('account/passkeys')[1]?.answer({ items: [] });
  await settle();
  expect([of('account/passkey/delete').map(({ path }) => path), reported]).toEqual([
    ['account/passkey/delete/laptop/bob'],
    [],
  ]);
});

test.each([
  [
    'throws',
    () => {
      throw new TypeError('Illegal invocation');
    },
  ],
  [
    'rejects',
    async () => {
      throw new DOMException('No', 'SecurityError');
    },
  ],
  ['never answers', () => new Promise(() => undefined)],
  ['has no such function', undefined],
])('a passkey is removed where the browser that is told so %s', async (_, signal) => {
  vi.stubGlobal('PublicKeyCredential', {
    signalUnknownCredential: signal,
    signalAllAcceptedCredentials: signal,
  });
  const of = await removeLast({ ...OWN, items: [KNOWN_LAPTOP] }, '#me?part=passkeys');
  of('account/passkeys')[1]?.answer({ ...OWN, items: [] });
  await settle();
  expect([dialogs(), texts('[role=alert]')]).toEqual([[], []]);
});

const throwing = () => {
  throw new TypeError('Illegal invocation');
};

/** An object whose members are those of a class, which it is not: reading them throws. */
const foreign = (members: object, names: readonly string[]) =>
  Object.defineProperties({ ...members }, Object.fromEntries(names.map((name) => [name, { get: throwing }])));

const ofUse = credentialOf('get');
const ofCreation = credentialOf('create');

test.each<[string, object, object?]>([
  ['that throws in toJSON', { ...ofUse, toJSON: throwing, getClientExtensionResults: throwing }],
  ['without toJSON', ofUse],
  ['with views of a larger buffer', { ...ofUse, rawId: new Uint8Array(bytes('a key')).subarray(2) }],
  ['with texts in base64url', { ...ASSERTION, response: { ...ASSERTION.response } }],
  ['whose rawId throws', foreign(ofUse, ['rawId', 'authenticatorAttachment'])],
  ['without a rawId', { ...ofUse, rawId: undefined }],
  [
    'without a user handle',
    { ...ofUse, response: { ...ofUse.response, userHandle: null } },
    { ...ASSERTION, response: { ...ASSERTION.response, userHandle: null } },
  ],
  [
    'with an empty user handle',
    { ...ofUse, response: { ...ofUse.response, userHandle: new ArrayBuffer(0) } },
    { ...ASSERTION, response: { ...ASSERTION.response, userHandle: null } },
  ],
])('a credential %s logs in', async (_, credential, sent = ASSERTION) => {
  const { of } = await openEntrance();
  await press('Log in with a passkey');
  expect([...(askedFor[0]?.publicKey.challenge ?? [])]).toEqual([...Buffer.from('\u00fb\u00ff?')]);
  askedFor[0]?.give(credential);
  await settle();
  expect(of('account/passkey/assert').map(({ body }) => body.credential)).toEqual([sent]);
});

test.each<[string, object, string[]?]>([
  ['that throws in toJSON', { ...ofCreation, toJSON: throwing, getClientExtensionResults: throwing }],
  [
    'without getTransports',
    { ...ofCreation, response: { ...ofCreation.response, getTransports: undefined } },
    [],
  ],
  [
    'that throws in getTransports',
    { ...ofCreation, response: { ...ofCreation.response, getTransports: throwing } },
    [],
  ],
])('a credential %s becomes a passkey', async (_, credential, transports = ['internal']) => {
  const { of } = await openOwn();
  await perform('Create passkey', { Name: 'laptop' });
  of('account/passkey/options')[0]?.answer(OPTIONS);
  await settle();
  askedFor[0]?.give(credential);
  await settle();
  expect(of('account/passkey/create').map(({ body }) => body.credential)).toEqual([
    { ...ATTESTATION, response: { ...ATTESTATION.response, transports } },
  ]);
});

const NOT_USED = 'Your browser or password manager could not use the passkey. Try again, or use another one.';
const NOT_CREATED =
  'Your browser or password manager could not create the passkey. Try again, or choose another place for it.';

/** What some password managers answer in place of a credential. */
const BROKEN: [string, unknown][] = [
  ['null', null],
  ['nothing', undefined],
  ['an empty object', {}],
  ['members that throw', foreign(ofUse, ['id', 'rawId', 'response'])],
  ['an answer without its parts', { ...ofUse, response: {} }],
];

test.each(BROKEN)('an answer of %s to a login is told in a sentence', async (_, credential) => {
  const { of } = await openEntrance();
  await press('Log in with a passkey');
  askedFor[0]?.give(credential === undefined ? null : credential);
  await settle();
  expect([texts('[role=alert]'), of('account/passkey/assert')]).toEqual([[NOT_USED], []]);
});

test.each<[string, unknown]>([
  ['InvalidStateError', new DOMException('An attempt was made', 'InvalidStateError')],
  ['a TypeError', new TypeError('Illegal invocation')],
  ['a text', 'refused'],
  ['nothing', undefined],
  ['UnknownError', new DOMException('x', 'UnknownError')],
])(
  'a login that fails with %s is told in a sentence, and the browser forgets nothing',
  async (_, failure) => {
    await openEntrance();
    await press('Log in with a passkey');
    askedFor[0]?.fail(failure);
    await settle();
    expect([texts('[role=alert]'), reported]).toEqual([[NOT_USED], []]);
  },
);

test.each<[string, unknown, string]>([
  [
    'InvalidStateError',
    new DOMException('x', 'InvalidStateError'),
    'This device already has a passkey of your account.',
  ],
  ['a TypeError', new TypeError('Illegal invocation'), NOT_CREATED],
])('a new passkey that fails with %s is told in a sentence', async (_, failure, text) => {
  const { of } = await openOwn();
  await perform('Create passkey', { Name: 'laptop' });
  of('account/passkey/options')[0]?.answer(OPTIONS);
  await settle();
  askedFor[0]?.fail(failure);
  await settle();
  expect(texts('[role=alert]')).toEqual([text]);
});

test('the browser forgets a new passkey that cannot be read', async () => {
  const { of } = await openOwn();
  await perform('Create passkey', { Name: 'laptop' });
  of('account/passkey/options')[0]?.answer(OPTIONS);
  await settle();
  askedFor[0]?.give({ ...ofCreation, response: foreign(ofCreation.response, ['attestationObject']) });
  await settle();
  expect([texts('[role=alert]'), of('account/passkey/create')]).toEqual([[NOT_CREATED], []]);
  expect(reported).toEqual([['unknown', { rpId: 'localhost', credentialId: KEY.id }]]);
});

/** Opens the page without a session. */
const openEntrance = () => openPage({ hasSession: false, answers: KNOWN });

test('a passkey logs in without the cookie of an earlier session, and without a username', async () => {
  const { of } = await openEntrance();
  await press('Log in with a passkey');
  expect(of('account/passkey/options').map(({ credentials }) => credentials)).toEqual(['omit']);
  await touch();
  of('account/passkey/assert')[0]?.answer({ username: 'ada' });
  await settle();
  expect(texts('h1')).toEqual(['People']);
});

test('a passkey of no account is refused in words', async () => {
  const { of } = await openEntrance();
  await press('Log in with a passkey');
  await touch();
  of('account/passkey/assert')[0]?.refuse(401, 'invalid_credentials');
  await settle();
  expect(texts('[role=alert] div')).toEqual(['This passkey was not accepted. Log in with your password.']);
  expect(reported).toEqual([]);
});

test.each(['by itself', 'by the button'])(
  'a refused passkey that was given %s is followed by no offer until a person asks',
  async (way) => {
    isConditional = true;
    const { of } = await openEntrance();
    if (way === 'by the button') await press('Log in with a passkey');
    await touch();
    of('account/passkey/assert')[0]?.refuse(401, 'invalid_credentials');
    await settle();
    expect(texts('[role=alert] div')).toEqual(['This passkey was not accepted. Log in with your password.']);
    const asked = askedFor.length;
    await fill({ Username: 'ada', Password: 'wrong' });
    await press('Log in');
    of('account/login')[0]?.refuse(401, 'invalid_credentials');
    await settle();
    expect([askedFor.length, of('account/passkey/options').length]).toEqual([asked, asked]);
    await press('Log in with a passkey');
    expect(askedFor.slice(asked).map(({ mediation }) => mediation)).toEqual(['required']);
    expect(reported).toEqual([]);
  },
);

test('the browser offers passkeys until another way is taken, and again after that has failed', async () => {
  isConditional = true;
  const { of } = await openEntrance();
  expect(askedFor.map(({ mediation, signal }) => [mediation, signal.aborted])).toEqual([
    ['conditional', false],
  ]);
  expect(field('Username').getAttribute('autocomplete')).toBe('username webauthn');
  await fill({ Username: 'ada', Password: 'wrong' });
  await press('Log in');
  expect(askedFor.map(({ signal }) => signal.aborted)).toEqual([true]);
  of('account/login')[0]?.refuse(401, 'invalid_credentials');
  await settle();
  expect(askedFor.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  await press('Log in with a passkey');
  expect(askedFor.map(({ mediation, signal }) => [mediation, signal.aborted])).toEqual([
    ['conditional', true],
    ['conditional', true],
    ['required', false],
  ]);
  await touch();
  of('account/passkey/assert')[0]?.answer({ username: 'ada' });
  await settle();
  expect(texts('h1')).toEqual(['People']);
  expect(askedFor).toHaveLength(3);
});

test('the offer gets a new challenge before the old one ends, while people look at the page', async () => {
  isConditional = true;
  const timeouts: AbortController[] = [];
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
    const controller = new AbortController();
    if (milliseconds === 240_000) timeouts.push(controller);
    return controller.signal;
  });
  const { of } = await openEntrance();
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  timeouts[0]?.abort();
  await settle();
  expect(of('account/passkey/options')).toHaveLength(1);
  visibility.mockReturnValue('visible');
  document.dispatchEvent(new Event('visibilitychange'));
  await settle();
  expect([of('account/passkey/options').length, askedFor.length]).toEqual([2, 2]);
  vi.restoreAllMocks();
});

test('an ended session is continued by a passkey of the same person only', async () => {
  const { of } = await openPage({ address: '#teams', answers: KNOWN });
  const replace = vi.spyOn(location, 'replace').mockReturnValue();
  of('team/browse')[0]?.refuse(401, 'unauthenticated');
  await settle();
  await press('Log in with a passkey');
  await touch();
  of('account/passkey/assert')[0]?.answer({ username: 'eve' });
  await settle();
  expect(replace.mock.calls).toEqual([['/api/core/admin']]);
  expect(of('team/browse')).toHaveLength(1);
  await press('Log in with a passkey');
  await touch();
  of('account/passkey/assert')[1]?.answer({ username: 'ada' });
  await settle();
  expect([dialogs(), of('team/browse').length]).toEqual([[], 2]);
  vi.restoreAllMocks();
});

test('a browser without the JSON form of WebAuthn logs in, and offers nothing in the field', async () => {
  vi.stubGlobal('PublicKeyCredential', {});
  const { of } = await openEntrance();
  expect(askedFor).toEqual([]);
  await press('Log in with a passkey');
  await touch();
  expect(of('account/passkey/assert').map(({ body }) => body.credential)).toEqual([ASSERTION]);
});

test('a browser without passkeys shows none', async () => {
  vi.stubGlobal('PublicKeyCredential', undefined);
  await openEntrance();
  expect(all('button', 'Log in with a passkey')).toEqual([]);
  await openOwn();
  expect(all('button', 'Create passkey')).toEqual([]);
  expect(texts('p.card')).toEqual(['This browser has no passkeys. Use a current one to create one.']);
});

test.each([
  ['http://127.0.0.1:3000/api/core/admin#me', 'http://localhost:3000/api/core/admin#me'],
  ['http://[::1]:3000/api/core/admin', 'http://localhost:3000/api/core/admin'],
  ['http://localhost:3000/api/core/admin', undefined],
  ['https://127.example.com/api/core/admin', undefined],
])('passkeys at %s need %s', async (href, expected) => {
  const { addressWithName } = await import('../../../infra/admin-page/passkey.ts');
  expect(addressWithName(new URL(href))).toBe(expected);
});

test('all data of an account are saved as a file', async () => {
  const saved: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => `blob:${saved.push(blob as Blob)}`);
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
  const { of } = await openPage({
    address: '#me',
    answers: {
      'account/profile': () => ({ user: { username: 'ada' }, roles: [], teams: [], apps: [] }),
    },
  });
  await press('Download all data');
  const user = { username: 'ada' };
  of('account/export')[0]?.answer({
    ...{ profile: { user }, audit: [{ action: 'account.lock' }], audit_truncated: true, audit_next: 'more' },
  });
  await settle();
  of('account/export')[1]?.answer({ audit: [{ action: 'account.create' }] });
  await settle();
  expect(of('account/export').map(({ path, query }) => [path, query])).toEqual([
    ['account/export/ada', {}],
    ['account/export/ada', { cursor: 'more' }],
  ]);
  const file = Buffer.from((await saved[0]?.arrayBuffer()) ?? new ArrayBuffer()).toString();
  expect(JSON.parse(file)).toEqual({
    profile: { user },
    audit: [{ action: 'account.lock' }, { action: 'account.create' }],
  });
  expect(texts('.notice span')).toEqual([expect.stringMatching(/^Saved as ada-[-\d]{10}\.json\.$/)]);
  vi.restoreAllMocks();
});
