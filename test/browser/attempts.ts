/** What an attempt does, as the paths of the service. */
export interface Paths {
  /** POST without a body: locks an account. */
  readonly lock: string;
  /** POST without a body: creates a token of the victim, and answers its secret. */
  readonly create: string;
  /** POST with a body of JSON: changes the profile of the victim. */
  readonly update: string;
  /** GET: ends the sessions of the victim. */
  readonly logout: string;
}

export interface Attempt {
  readonly name: string;
  readonly path: keyof Paths;
  /** What stands in the page; a link in it is clicked. */
  readonly html: (url: string, redirected: string) => string;
  /** Whether a page of the service's own origin achieves it. */
  readonly fromOwn: boolean;
}

/** What a page writes to its console once a fetch has ended, of which the service may have seen nothing. */
export const FETCHED = 'fetched';

const submitted = (url: string, attributes: string, fields = '') =>
  `<form action="${url}" ${attributes}>${fields}</form><script>document.forms[0].submit()</script>`;

const fetched = (url: string, init: string) =>
  `<script>fetch('${url}', { credentials: 'include', ${init} }).catch(() => undefined)
    .finally(() => console.log('${FETCHED}'))</script>`;

const JSON_SHAPE = `<input name='{"user_short":"' value='"}'>`;
const JSON_BODY = `method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"user_short":"="}'`;

const attempt = (
  name: string,
  path: keyof Paths,
  html: Attempt['html'],
  fromOwn: Attempt['fromOwn'] = true,
): Attempt => ({ name, path, html, fromOwn });

/** Every way in which a page can make a browser send something, by what of the service is worth it. */
export const ATTEMPTS: readonly Attempt[] = [
  attempt('a form', 'lock', (url) => submitted(url, 'method=post')),
  attempt('a form of text', 'lock', (url) => submitted(url, 'method=post enctype=text/plain')),
  // Its empty form is a body all the same, which no lock takes.
  attempt(
    'a form of parts',
    'lock',
    (url) => submitted(url, 'method=post enctype=multipart/form-data'),
    false,
  ),
  // Refused for its content type, wherever it comes from.
  attempt(
    'a form of text that looks like JSON',
    'update',
    (url) => submitted(url, 'method=post enctype=text/plain', JSON_SHAPE),
    false,
  ),
  attempt('a form that is redirected', 'lock', (_, url) => submitted(url, 'method=post'), false),
  attempt('fetch', 'create', (url) => fetched(url, `method: 'POST'`)),
  attempt('fetch without CORS', 'lock', (url) => fetched(url, `method: 'POST', mode: 'no-cors'`)),
  attempt('fetch of JSON', 'update', (url) => fetched(url, JSON_BODY)),
  attempt(
    'fetch with an empty Authorization',
    'lock',
    (url) => fetched(url, `method: 'POST', headers: { authorization: '' }`),
    false,
  ),
  attempt('a beacon', 'lock', (url) => `<script>navigator.sendBeacon('${url}')</script>`),
  attempt('fetch', 'logout', (url) => fetched(url, '')),
  attempt('fetch without CORS', 'logout', (url) => fetched(url, `mode: 'no-cors'`), false),
  attempt('an image', 'logout', (url) => `<img src="${url}">`, false),
  attempt('a script', 'logout', (url) => `<script src="${url}"></script>`, false),
  attempt('a style sheet', 'logout', (url) => `<link rel=stylesheet href="${url}">`, false),
  attempt('a prefetched link', 'logout', (url) => `<link rel=prefetch href="${url}">`, false),
  attempt('a frame', 'logout', (url) => `<iframe src="${url}"></iframe>`),
  attempt('an object', 'logout', (url) => `<object data="${url}"></object>`),
  attempt('a link', 'logout', (url) => `<a href="${url}" target=_top>x</a>`),
  attempt('a link in a new window', 'logout', (url) => `<a href="${url}" target=_blank>x</a>`),
  attempt('a link that is redirected', 'logout', (_, url) => `<a href="${url}" target=_top>x</a>`, false),
  attempt('a window', 'logout', (url) => `<script>open('${url}')</script>`),
  attempt('a form with GET', 'logout', (url) => submitted(url, '')),
  attempt('a new location', 'logout', (url) => `<script>location = '${url}'</script>`),
  attempt('a refresh', 'logout', (url) => `<meta http-equiv=refresh content="0;url=${url}">`),
];
