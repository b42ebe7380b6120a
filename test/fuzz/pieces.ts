import * as fc from 'fast-check';

/** The accounts that requests name, with their roles: those that also authenticate, then mere targets. */
export const HOLDERS = { plain: [], keys: ['sys_tokens'], boss: ['sys_administrator', 'sys_tokens'] };
export const ACCOUNTS: Readonly<Record<string, string[]>> = {
  ...HOLDERS,
  model: ['editor'],
  'target-1': [],
  'Target.2@x+y': [],
};
export const PASSWORD = 'the password of every account';

/** Texts between bars; `{{...}}` replaces parts that differ from run to run. */
const some = (text: string) => fc.constantFrom(...text.split(' | '));
const overlong = (max: number) => fc.integer({ min: 100, max }).map((length) => 'a'.repeat(length));

/** A valid value, which others shrink to, and one time in so many an invalid one. */
export const mostly = <T>(times: number, good: fc.Arbitrary<T>, ...bad: fc.Arbitrary<T>[]) =>
  fc.oneof(
    { withCrossShrink: true },
    { arbitrary: good, weight: (times - 1) * bad.length },
    ...bad.map((arbitrary) => ({ arbitrary, weight: 1 })),
  );

/** Any characters at all, half surrogate pairs included. */
export const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ maxLength: 20 }),
  some("\ud800 | \0 | __proto__ | constructor | \u212a | İ | \u202e | ' OR 1=1-- | ACCOUNT#boss | \r\nx: y"),
  overlong(3000),
);

const users = 'target-1 | Target.2@x+y | model';
const repeats = mostly(20, fc.integer({ min: 1, max: 400 }), fc.constant(30_000));
const markdown = fc.tuple(some('> | _a__ | [ | ![]( | < | *a | ` | -\n | <b | |a'), repeats);

/** Values worth trying, by the name of a parameter or property. */
export const KNOWN: Readonly<Record<string, fc.Arbitrary<string>>> = {
  username: fc.oneof(
    ...[users, users, '{{self}}', '{{self}}', 'plain | boss | nobody | api | TARGET-1'].map(some),
  ),
  source_username: some('model | target-1 | boss'),
  target_username: some(`${users} | plain | nobody`),
  token_name: some('first | second | a.b-c_d | 0 | logintoken'),
  app_name: some('core | core | other'),
  password: some(`{{token.plain}} | ${PASSWORD} | {{token.boss}} | wrong | ${'x'.repeat(73)}`),
  painput: fc.oneof(
    some('# Hello | <script>alert(1)</script> | [a](javascript:x) | &#x0;<b'),
    markdown.map(([piece, times]) => piece.repeat(times)),
    anyText,
  ),
  team_id: some('{{team}} | 00000000-0000-0000-0000-000000000000'),
  pscope: some('user | teams,roles,apps | instance | user, user'),
  limit: some('1 | 10000 | 0 | -1 | 1e3'),
  cursor: some(`{{cursor}} | {{cursor}}x | x | ${'a'.repeat(1025)}`),
  n: some('3 | 0 | 200 | 10000 | 10001 | -1 | ٣'),
  setup: some('true | false | TRUE | 1'),
};

/** Ends of a value in the path or the query, and its replacements. */
export const ends = some('%2F | / | %00 | % | %ff | %0d%0a | + | ;a=b | %20 | , | # | \\');
export const instead = fc.oneof(
  some('. | .. | ..%2f.. | %2e%2e | %c0%ae | * | ~ | %F0%9F%98%80 | %EF%BB%BF'),
  overlong(9000),
);
export const strayQuery = some(
  `a=1 | a | = | & | ptoken | ptoken=x | % | %ff=1 | a[]=1 | __proto__=1 | limit=1 | n=1 | n=1&n=2 | x=${'y'.repeat(5000)}`,
);

/** `Name: value`, one for each of the values that are between bars behind a name. */
const table = (text: string) =>
  text
    .trim()
    .split('\n')
    .flatMap((line) => {
      const colon = line.indexOf(': ');
      const name = line.slice(0, colon);
      return line
        .slice(colon + 2)
        .split(' | ')
        .map((value) => `${name}: ${value}`);
    });

/** Credentials of the caller: headers and, with a question mark, parameters; some are two. */
export const goodCredentials = table(`
Authorization: Token {{token.self}} | Bearer {{session.self}} | Basic {{basic.self}} | bEARER   {{session.self}}
?ptoken: api:{{token.self}} | {{session.self}}
Cookie: ptoken={{session.self}} | a=b; ptoken={{session.self}}; ptoken2=`);
export const badCredentials = table(`
X-Nothing: x
Authorization: Token | Token cst_x | Token {{token.self}}x | Token {{session.self}} | Token\t{{token.self}} | Digest a=b, c=d
Authorization: Bearer {{token.self}} | Bearer {{session.self}}. | Bearer {{session.self}},Bearer x | Bearer \xff | Bearer ${'a'.repeat(8000)}
Authorization:  | Basic {{token.self}} | Basic {{basic.self}}= | Basic YXBp
Authorization: Token {{token.self}} && authorization: Bearer x | Bearer x && ?ptoken: {{session.self}}
?ptoken:  | api: | api:{{session.self}} | %ff | x && ?ptoken: {{session.self}}
Cookie: ptoken | ptoken={{token.self}} | ptoken={{session.self}}; ptoken=x | ;;=`);

/** Headers with an effect, and others. */
export const strayHeaders = table(`
Accept: */* | application/json | text/html;q=0 | text/html, application/json;q=2 | ;;;,q=
Accept-Encoding: gzip | br | gzip;q=0 | * | identity;q=0 | gzip;q=nan,,
Origin: null | https://evil.example | http://127.0.0.1 | not a url
Sec-Fetch-Site: same-origin | cross-site | none | x
Sec-Fetch-Mode: no-cors | navigate
Content-Type: text/plain | application/json
Cookie: a=b | ptoken | ptoken=x | \xe9=\xe9
Authorization: Bearer x
X-Forwarded-For: 1.2.3.4 | ${'1.1.1.1,'.repeat(50)}
X-Amzn-Trace-Id: Root=1-x
X-HTTP-Method-Override: DELETE
__proto__: 1`);
export const contentTypes = some(
  'application/json; charset=utf-8 | Application/JSON;charset="UTF-8" | application/vnd.api+json | text/plain | \xff | ; | application/x-www-form-urlencoded | application/json; charset=utf-16 | application/json,application/json | multipart/form-data',
);

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
/** Puts a member into an object, or an object in the place of another value. */
const member = (text: string) => (json: string) =>
  json.startsWith('{"') ? json.replace('{', `{${text},`) : `{${text}}`;
const members =
  '"username":"a","username":"b" | "a":1,"\\u0061":2 | "__proto__":{"roles":[]} | "constructor":1 | "painput":"\\ud800" | "x":1e999 | "x":-0 | "toString":1';

/** Changes to a body after its creation. */
export const damages: readonly ((json: string) => string)[] = [
  (json) => json.slice(0, json.length / 2),
  (json) => `\ufeff${json}`,
  (json) => json + json,
  (json) => json.replace('}', ',}'),
  (json) => json.replaceAll('"', "'"),
  (json) => btoa(encodeURIComponent(json)),
  (json) => `a=1&b=%ff&${encodeURIComponent(json)}`,
  (json) => `${' '.repeat(2000)}${json}\n`,
  ...[...members.split(' | '), `"x":${'9'.repeat(400)}`].map(member),
  ...[62, 63, 20_000].map((depth) => member(`"user_properties":${nested(depth)}`)),
  ...['', 'null', '[]', '"x"', '1', '\0', 'x'.repeat(270_000)].map((text) => () => text),
];
export const junk = fc.oneof(
  fc.constantFrom<unknown>(null, [], {}, '', 0, -1, 1e308, true, 'x'.repeat(70_000), { root: 5 }),
  anyText,
  fc.jsonValue({ maxDepth: 5 }),
);
