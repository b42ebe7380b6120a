import type { FailureCode } from '#lib/failure';

/** A request that an example is recorded of. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  /** Whose token it presents; none unless told. */
  readonly as?: string;
  readonly json?: unknown;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The name under which later requests present the token that it creates. */
  readonly keep?: string;
  /** What is sent before it. */
  readonly before?: readonly Asked[];
}

export const PASSWORD = 'correct horse battery staple';

const as = 'admin';
const get = (path: string): Asked => ({ method: 'GET', path: `/api/core${path}`, as });
const post = (path: string, json?: unknown): Asked => ({
  method: 'POST',
  path: `/api/core${path}`,
  as,
  ...(json === undefined ? {} : { json }),
});
const logIn = (password: string): Asked => ({
  method: 'POST',
  path: '/api/core/account/login',
  json: { username: 'admin', password },
});
const ping = (method: string): Asked => ({
  ...get('/system/ping?page=1'),
  method,
  ...(method === 'GET' ? {} : { json: { answer: 42 } }),
});

/** One of each operation and each media type, in an order in which all succeed on the demo data. */
export const ANSWERS: readonly Asked[] = [
  logIn(PASSWORD),
  get('/account/profile'),
  get('/account/profile/marco.rossi'),
  post('/account/profile-update', {
    username: 'priya.nair',
    user_color: '#14706B',
    user_properties: { root: { desk: '4.12' } },
  }),
  get('/account/browse?limit=2'),
  post('/account/copy/anna.keller/priya.nair'),
  post('/account/lock/import-service'),
  post('/account/unlock/import-service'),
  post('/account/context/core'),
  post('/account/context/planning/marco.rossi'),
  { ...post('/token/create/laptop/marco.rossi'), keep: 'marco' },
  get('/token/user/marco.rossi'),
  { ...post('/token/create/logintoken'), keep: 'admin' },
  get('/token/user'),
  get('/token/browse?limit=2'),
  post('/token/create/spare/marco.rossi'),
  post('/token/delete/spare/marco.rossi'),
  post('/account/cancel/import-service'),
  post('/account/reactivate/import-service', { revoke_tokens: true }),
  get('/system?setup=true'),
  get('/system/jwks'),
  ...['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map(ping),
  post('/system/preview', { painput: '# Hello\n\n*World*' }),
  { ...post('/system/preview', { painput: '# Hello\n\n*World*' }), headers: { accept: 'application/json' } },
  get('/system/uuid'),
  get('/system/uuids?n=3'),
];

const KEYED = { headers: { 'idempotency-key': '5f0c3f0e-7b1c-4d4e-9d57-0c8a0f2a6f11' } };

/** One of each code that a request to an instance can bring about. */
export const FAILING: readonly (readonly [FailureCode, Asked])[] = [
  ['invalid_request', post('/account/profile-update', { user_color: 'teal', nickname: 'P' })],
  ['team_not_member', post('/account/profile-update', { team_id: '017f22e2-79b0-7cc3-98c4-dc0c0c07398f' })],
  ['unauthenticated', { method: 'GET', path: '/api/core/account/profile' }],
  ['invalid_credentials', logIn('wrong')],
  ['forbidden', { ...get('/account/browse'), as: 'marco' }],
  ['account_not_found', get('/account/profile/nobody')],
  ['token_not_found', post('/token/delete/none/marco.rossi')],
  ['app_not_found', post('/account/context/unknown/marco.rossi')],
  ['token_exists', post('/token/create/laptop/marco.rossi')],
  [
    'precondition_failed',
    { ...post('/account/profile-update', { user_short: 'AD' }), headers: { 'if-match': '"other"' } },
  ],
  [
    'idempotency_key_reused',
    {
      ...post('/token/create/nightly/marco.rossi'),
      ...KEYED,
      before: [{ ...post('/token/create/weekly/marco.rossi'), ...KEYED }],
    },
  ],
  [
    'token_deleted',
    {
      ...post('/token/create/weekly/marco.rossi'),
      ...KEYED,
      before: [post('/token/delete/weekly/marco.rossi')],
    },
  ],
  [
    'token_limit',
    {
      ...post('/token/create/last/anna.keller'),
      before: Array.from({ length: 100 }, (_, nth) => post(`/token/create/t${nth}/anna.keller`)),
    },
  ],
  [
    'account_cancelled',
    { ...post('/token/create/x/import-service'), before: [post('/account/cancel/import-service')] },
  ],
  ['self_target', post('/account/lock/admin')],
  ['payload_too_large', post('/account/profile-update', { phonenumber: 'x'.repeat(256 * 1024) })],
  [
    'unsupported_media_type',
    { ...post('/system/preview'), body: 'painput=x', headers: { 'content-type': 'text/plain' } },
  ],
  ['too_complex', post('/system/preview', { painput: '>'.repeat(200_000) })],
  ['too_many_requests', { ...logIn('wrong'), before: Array.from({ length: 5 }, () => logIn('wrong')) }],
];

/** Ends the sessions of all that went before. */
export const LAST: Asked = get('/account/logout');
