import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { checkFile, MAX_FAULTS } from '#infra/admin/import/check';
import { FOREVER } from '#lib/item/account';
import { readStatistics } from '#lib/stats/statistics';
import { passwordCostKey, passwordKey, propertiesKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { put, remove } from '#lib/table/write';
import { newName } from '../../../names.ts';
import { identityV2, identityV3 } from '../../support/identity-hash.ts';
import { openInstance } from '../operator.ts';

const { run, json, fileOf, table, stored, team, account, audited, wire, data } = await openInstance({
  ErasureAfterDays: '0',
});

const END = '2099-01-01T00:00:00Z';
let username: string;
beforeEach(() => {
  username = newName('ada');
});

test('import says that it reads a file as Windows-1252', async () => {
  const file = fileOf('older.csv', '');
  writeFileSync(file, Buffer.from(`username;first name\n${username};J\xfcrg`, 'latin1'));
  const { code, stderr } = await run(['import', file]);
  expect([code, stderr]).toEqual([
    0,
    expect.stringContaining(`${file} is read as Windows-1252: check letters`),
  ]);
  expect(await stored({ username })).toMatchObject({ user_first_name: 'Jürg' });
});

test('import creates the accounts of a file once, and shows its progress', async () => {
  const { team_short } = await team(`OPS-${username}`);
  const file = fileOf('accounts.jsonl', [
    { username, password: 'correct horse', teams: [team_short.toLowerCase()], roles: ['editor'] },
    { username: `${username}-b`, islocked: true, isactive: false },
    { username: `${username}-c`, user_properties: { n: 1 }, islocked: true, lockoutend: END },
  ]);
  const noted = await get(table, passwordCostKey);
  const dry = await json(['import', file, '--dry-run']);
  expect(dry).toEqual({ code: 0, answer: { dry_run: true, created: 3, existing: 0, failed: 0 } });
  expect(await get(table, passwordCostKey)).toEqual(noted);

  const before = await readStatistics(table, Date.now());
  const { code, stdout, stderr } = await run(['import', file]);
  expect([code, stdout]).toEqual([0, '']);
  expect(stderr).toMatch(
    /^Instance: \S+\nChecking \S+accounts.jsonl\n0 accounts\n3 accounts.*\nNew roles and applications: role editor.*\nImporting 3/,
  );
  expect(stderr).toMatch(/\n3 of 3 accounts.*\nTook \d+\.\d s: \d[\d,]* accounts a second\ncreated {3}3\n/);
  expect(await stored({ username })).toMatchObject({ roles: ['editor'], teams: [{ team_short }] });
  expect((await get(table, passwordKey(username)))?.hash).toMatch(/^\$2b\$10\$/);
  expect(await get(table, passwordCostKey)).toMatchObject({ cost: 10 });
  expect(await get(table, propertiesKey(`${username}-c`))).toMatchObject({ json: '{"root":{},"n":1}' });
  const state = { isactive: false, cancelled_by: expect.stringMatching(/^operator:/), lockoutend: FOREVER };
  expect(await stored({ username: `${username}-b` })).toMatchObject(state);
  const cancelled = await json(['account', 'list', '--cancelled-since', '1h']);
  const names = cancelled.answer.map((each: { username: string }) => each.username);
  expect(names.filter((name: string) => name.startsWith(username))).toEqual([`${username}-b`]);
  expect(await readStatistics(table, Date.now())).toMatchObject({
    count: before.count + 3,
    locked: before.locked + 2,
  });

  expect(await json(['import', file])).toEqual({ code: 0, answer: { created: 0, existing: 3, failed: 0 } });
  expect((await json(['import', file, '--dry-run'])).answer).toMatchObject({ created: 0, existing: 3 });
  const about = (count: number) => ({ file, count: 3, created: count, existing: 3 - count, failed: 0 });
  const entries = audited(true).map(({ target, outcome, details }) => [target, outcome, details]);
  expect(
    entries.toSorted(
      ([one], [two]) => Number(one === null) - Number(two === null) || String(one).localeCompare(String(two)),
    ),
  ).toEqual([
    [username, 'ok', { roles_added: ['editor'], teams_added: [team_short], apps_added: ['core'] }],
    [`${username}-b`, 'ok', { apps_added: ['core'] }],
    [`${username}-c`, 'ok', { apps_added: ['core'] }],
    [null, 'started', { file }],
    [null, 'ok', about(3)],
    [null, 'started', { file }],
    [null, 'ok', about(0)],
  ]);
});

test('import stores password hashes of another service, and notes their costs before', async () => {
  const [v2, v3] = [identityV2('x'), identityV3('x', { prf: 2 })];
  const others = `$2a$04$${'.'.repeat(53)}`;
  const cheaper = identityV3('x', { prf: 2, iterations: 1000 });
  const lines = [v2, v3, others, cheaper].map((hash, index) => `${username}-${index},${hash}`);
  const file = fileOf('hashes.csv', ['username,password_hash', ...lines].join('\n'));
  let noted: unknown;
  wire.before('TransactWriteItems', async () => {
    noted = await get(table, passwordCostKey);
    // A survey that has seen none of these hashes.
    await put(table, passwordCostKey, { cost: 4 });
  });
  expect((await json(['import', file])).answer).toMatchObject({ created: 4 });
  const costs = { imported: 4, sha1: 2000, sha512: 10_000 };
  expect([noted, await get(table, passwordCostKey)]).toMatchObject([costs, costs]);
  const hashes = [0, 1, 2].map(
    async (index) => (await get(table, passwordKey(`${username}-${index}`)))?.hash,
  );
  expect(await Promise.all(hashes)).toEqual([v2, v3, others.replace('$2a', '$2y')]);
  await remove(table, passwordCostKey);
});

test('import lists roles and applications that no account has before it writes', async () => {
  await account({ username, roles: [`held-${username}`], apps: ['core', `app-${username}`] });
  const file = fileOf('names.jsonl', [
    { username: `${username}-b`, roles: [`held-${username}`, 'editer', 'sys_tokens'], apps: ['crn'] },
    { username: `${username}-c`, roles: ['editer', 'vewer'], apps: [`app-${username}`, 'core'] },
  ]);
  const listed = 'New roles and applications: role editer, role sys_tokens, application crn, role vewer\\n';
  for (const options of [['--dry-run'], []])
    expect((await run(['import', file, ...options])).stderr).toMatch(
      new RegExp(`\n${listed}(Importing 2|dry_run)`),
    );
  expect((await run(['import', file])).stderr).not.toContain('No account has');
});

test('import reads CSV by the name of the file, or by --format', async () => {
  const csv = `username,user_last_name,roles\n${username},"Kim, K.",sys_x`;
  expect((await json(['import', fileOf('a.csv', csv)])).answer.errors).toEqual([
    { field: 'line 2, roles.0', message: expect.stringContaining('Is not a role of the service') },
  ]);
  const options = ['--format', 'csv', '--force'];
  const { answer } = await json(['import', fileOf('accounts', csv), ...options]);
  expect(answer).toMatchObject({ created: 1 });
  expect(await stored({ username })).toMatchObject({ user_last_name: 'Kim, K.', roles: ['sys_x'] });
});

test('import reports names of erased accounts in a dry run as when it writes, except with --force', async () => {
  await account({ username });
  await json(['account', 'cancel', username, '--yes']);
  await json(['account', 'erase', username, '--yes']);
  const file = fileOf('erased.csv', `username\n${username}-b\n${username.toUpperCase()}`);
  const fault = 'An account with this username was erased: --force creates another';
  const rejectsOf = (name: string) => readFileSync(join(data, name), 'utf8');
  const dry = ['import', file, '--dry-run'];
  const { code, answer } = await json(dry);
  expect([code, answer]).toEqual([1, { dry_run: true, created: 1, existing: 0, failed: 1 }]);
  expect((await run(dry)).stderr).toContain(`line 3: ${fault}\n`);
  await json([...dry, '--rejects', join(data, 'dry.csv')]);
  expect((await json([...dry, '--force'])).answer).toMatchObject({ created: 2, failed: 0 });
  expect(await stored({ username: `${username}-b` })).toBeUndefined();

  const real = await json(['import', file, '--rejects', join(data, 'real.csv')]);
  expect([real.code, real.answer]).toMatchObject([1, { created: 1, existing: 0, failed: 1 }]);
  expect(rejectsOf('dry.csv')).toContain(fault);
  expect(rejectsOf('real.csv')).toBe(rejectsOf('dry.csv'));
});

test('import refuses the ID of an erased account as a username, also with --force', async () => {
  const { id } = await account({ username: `${username}-id` });
  await json(['account', 'cancel', `${username}-id`, '--yes']);
  await json(['account', 'erase', `${username}-id`, '--yes']);
  const file = fileOf('id.csv', `username\n${id}\n${username}-next`);
  const fault = 'The username is the ID of an erased account';
  for (const options of [['--dry-run'], ['--dry-run', '--force'], [], ['--force']]) {
    const { code, stderr } = await run(['import', file, ...options]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`line 2: ${fault}`)]);
  }
  expect(await stored({ username: id })).toBeUndefined();
  expect(await stored({ username: `${username}-next` })).toBeDefined();
});

test('import refuses a file with faults, names each line, and writes nothing', async () => {
  const lines = [
    { username: `${username}-good` },
    { username: 'a b' },
    { username: `${username}-GOOD` },
    { username: `${username}-x`, teams: ['nowhere'], roles: ['sys_admin'] },
    { username: `${username}-good` },
  ];
  const file = fileOf('bad.jsonl', `{\n\n${lines.map((line) => JSON.stringify(line)).join('\n')}`);
  const message =
    '5 of 6 accounts are at fault. Nothing was written; --rejects <file> imports the others, and writes these to a file';
  const errors = [
    { field: 'line 1', message: expect.stringMatching(/^Must be JSON/) },
    { field: 'line 4, username' },
    { field: 'line 5, username', message: 'Repeats line 3' },
    { field: 'line 6, roles.0', message: expect.stringMatching(/; did you mean sys_administrator\?$/) },
    { field: 'line 7, username', message: 'Repeats line 3' },
  ];
  const answer = { code: 'invalid_file', message, errors };
  expect(await json(['import', file])).toMatchObject({ code: 1, answer });
  expect(await stored({ username: `${username}-good` })).toBeUndefined();
  const { stderr } = await run(['import', file]);
  expect(stderr).toContain('\n  line 5, username: Repeats line 3\n');
  expect(stderr).toContain('\n0 accounts\n6 accounts\n');
});

test('import with --rejects creates the accounts without faults, and the corrected others from that file', async () => {
  const { team_short } = await team(`R-${username}`);
  const row = (n: number, rest = `Jörg;Müller;+43 1 ${n};;${team_short}`) => `${username}-${n};${rest}`;
  const good = Array.from({ length: 20 }, (_, n) => row(n));
  const bad = [
    row(0),
    `;Ohne;Name;;;${team_short}`,
    row(21, 'Falsch;Team;;;GIBTSNICHT'),
    row(22, 'Zwei"Zeichen;;;;'),
    row(23, '"=1";"x;y";;;'),
  ];
  const head = 'username;user_first_name;user_last_name;phonenumber;roles;teams';
  const wrong = bad.map((line, n) => (n === 4 ? line.replace(username, 'a b') : line));
  const file = fileOf('people.csv', `\ufeff${[head, ...good, ...wrong].join('\r\n')}\r\n`);
  const rejects = join(data, `${username}.csv`);
  const summary = { created: 20, existing: 0, failed: 0, rejected: 5 };
  const dry = await json(['import', file, '--dry-run', '--rejects', `${rejects}.dry`]);
  expect(dry).toEqual({ code: 1, answer: { dry_run: true, ...summary } });
  expect(await stored({ username: `${username}-1` })).toBeUndefined();

  expect(await json(['import', file, '--rejects', rejects])).toEqual({ code: 1, answer: summary });
  expect(await stored({ username: `${username}-19` })).toMatchObject({ user_last_name: 'Müller' });
  expect(audited().at(-1)?.details).toEqual({ file, count: 20, ...summary });
  const text = readFileSync(rejects, 'utf8');
  expect(statSync(rejects).mode & 0o777).toBe(0o600);
  expect(text).toBe(readFileSync(`${rejects}.dry`, 'utf8'));
  const [first, ...lines] = text.trimEnd().split('\n');
  expect(first).toBe(`\ufefffault;${head}`);
  expect(lines).toEqual(
    wrong.map((line) => expect.stringMatching(new RegExp(`^"[^"]+";${RegExp.escape(line)}$`))),
  );
  expect(lines.map((line) => /^"(.*?)(: |")/.exec(line)?.[1])).toEqual([
    'username',
    'username',
    'teams.0',
    'Must have quotation marks around a whole cell, and doubled within it',
    'username',
  ]);

  const again = await json(['import', file, '--rejects', rejects]);
  expect(again).toMatchObject({ code: 1, answer: { code: 'file_exists' } });
  const corrected = text
    .replace(';;Ohne', `;${username}-20;Ohne`)
    .replace('GIBTSNICHT', team_short)
    .replace('Zwei"Zeichen', 'Zwei Zeichen')
    .replace('a b', username)
    .replace(`;${username}-0;`, `;${username}-24;`);
  const answer = { created: 5, existing: 0, failed: 0, rejected: 0 };
  const unneeded = join(data, `${username}-none.csv`);
  expect(await json(['import', fileOf('corrected.csv', corrected), '--rejects', unneeded])).toEqual({
    code: 0,
    answer,
  });
  expect(existsSync(unneeded)).toBe(false);
});

test('import with --rejects returns JSON lines, and those that the table refuses', async () => {
  const file = fileOf(
    'a.jsonl',
    `{"username":"${username}"}\n{"username":"${username}-bad"}\n{"fault":"x","n":1}\nx\n{}`,
  );
  wire.script((operation, input) =>
    operation === 'TransactWriteItems' && JSON.stringify(input).includes(`"${username}-bad"`)
      ? { status: 400, body: { __type: 'ValidationException', message: 'Too large' } }
      : undefined,
  );
  const rejects = join(data, `${username}.jsonl`);
  const { answer } = await json(['import', file, '--rejects', rejects]);
  expect(answer).toEqual({ created: 1, existing: 0, failed: 1, rejected: 3 });
  const lines = readFileSync(rejects, 'utf8').trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { fault: 'property 2: Is not a property of an account', n: 1 },
    { fault: expect.stringContaining('Must be JSON'), line: 'x' },
    { fault: 'username: Is required' },
    { fault: 'DynamoDB TransactWriteItems: Too large', username: `${username}-bad` },
  ]);
});

test('import with --rejects returns the accounts that exist, also when it only checks', async () => {
  await account({ username: `${username}-b` });
  const file = fileOf('e.csv', `username,user_first_name\n${username}-a,Ada\n${username}-b,Bob`);
  const line = `"An account with this username exists",${username}-b,Bob`;
  for (const options of [['--dry-run'], []]) {
    const rejects = join(data, `${username}${options.length}.csv`);
    const { code, answer } = await json(['import', file, '--rejects', rejects, ...options]);
    expect([code, answer]).toMatchObject([0, { created: 1, existing: 1, failed: 0, rejected: 0 }]);
    expect(readFileSync(rejects, 'utf8')).toBe(`\ufefffault,username,user_first_name\n${line}\n`);
  }
});

test('import with --rejects writes nothing when the whole file is at fault', async () => {
  const file = fileOf('w.csv', 'Employee #;Hire date\nx;Jörg');
  const rejects = join(data, `${username}.csv`);
  const report = join(data, `${username}-report.csv`);
  const refused = await json(['import', file, '--rejects', rejects, '--report', report]);
  const message = 'The file cannot be read. Nothing was written';
  expect(refused).toMatchObject({ code: 1, answer: { code: 'invalid_file', message } });
  expect([existsSync(rejects), existsSync(report)]).toEqual([false, false]);
});

test('import with --report lists each person with the outcome', async () => {
  await account({ username: `${username}-b` });
  const rows = [`${username}-a,Ada,=1`, `${username}-b,Bob,`, `${username}-bad,,Ill`];
  const file = fileOf('p.csv', ['username,user_first_name,user_last_name', ...rows].join('\n'));
  wire.script((operation, input) =>
    operation === 'TransactWriteItems' && JSON.stringify(input).includes(`"${username}-bad"`)
      ? { status: 400, body: { __type: 'ValidationException', message: 'Too large' } }
      : undefined,
  );
  const report = join(data, `${username}-report.csv`);
  await run(['import', file, '--report', report]);
  const [head, ...lines] = readFileSync(report, 'utf8').trimEnd().split('\n');
  expect(head).toBe('\ufeff"line","username","user_first_name","user_last_name","outcome"');
  expect(lines.toSorted()).toEqual([
    `"2","${username}-a","Ada","'=1","created"`,
    `"3","${username}-b","Bob","","existing"`,
    `"4","${username}-bad","","Ill","failed"`,
  ]);
});

test.each([['/no/such/file'], [data]])('import refuses %s, which is not a regular file', async (path) => {
  expect(await json(['import', path])).toMatchObject({ code: 1, answer: { code: 'no_file' } });
});

test('import exits with 1 and reports the line when the table refuses an account, and creates all others', async () => {
  const others = Array.from({ length: 60 }, (_, n) => ({ username: `${username}-${n}` }));
  const file = fileOf('a.jsonl', [{ username }, { username: `${username}-bad` }, ...others]);
  wire.script((operation, input) =>
    operation === 'TransactWriteItems' && JSON.stringify(input).includes(`"${username}-bad"`)
      ? { status: 400, body: { __type: 'ValidationException', message: 'Too large' } }
      : undefined,
  );
  const { code, stdout, stderr } = await run(['import', file, '--json']);
  expect([code, JSON.parse(stdout)]).toEqual([1, { created: 61, existing: 0, failed: 1 }]);
  expect(stderr).toContain('\nline 2: DynamoDB TransactWriteItems: Too large\n');
});

test('checkFile lists a limited number of faults, and counts the others', async () => {
  const path = fileOf('bad.jsonl', '{\n'.repeat(MAX_FAULTS + 1));
  const refused = await checkFile({ path, format: 'jsonl' }, new Map()).catch((error) => error);
  expect(refused.details.errors).toHaveLength(MAX_FAULTS);
  expect(refused.message).toBe(
    `${MAX_FAULTS + 1} of ${MAX_FAULTS + 1} accounts are at fault, of which the first ${MAX_FAULTS} are listed. Nothing was written; --rejects <file> imports the others, and writes these to a file`,
  );
});

test('a dry run counts the existing accounts of more than one batch', async () => {
  const lines = Array.from({ length: 120 }, (_, n) => ({ username: `${username}-${n}` }));
  await run(['import', fileOf('some.jsonl', lines.slice(0, 110))]);
  const file = fileOf('many.jsonl', lines);
  expect((await json(['import', file, '--dry-run'])).answer).toMatchObject({ created: 10, existing: 110 });
});

test('export prints all accounts in the format of import, without secrets', async () => {
  await account({ username, password: 'correct horse', roles: ['r'], user_properties: { root: {}, n: 1 } });
  // JSON writes this separator as it is, and a reader of lines may end a line there.
  await account({ user_last_name: 'a\u2028b' });
  const { code, stdout, stderr } = await run(['export']);
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect([code, stderr]).toEqual([0, expect.stringContaining(`\n${lines.length} accounts\n`)]);
  const entry = { action: 'admin export', outcome: 'ok', changed: false, details: { count: lines.length } };
  expect(audited()).toMatchObject([entry]);
  expect(lines).toContainEqual(
    expect.objectContaining({ username, roles: ['r'], user_properties: { root: {}, n: 1 } }),
  );
  expect(stdout).not.toMatch(/hash|\$2[ab]\$|stamp|password|cst_/);
  const again = await json(['import', fileOf('exported.jsonl', stdout), '--force']);
  expect(again.answer).toEqual({ created: 0, existing: lines.length, failed: 0 });
});

test('account list as CSV has names instead of numbers, and import creates the same accounts again', async () => {
  const shorts = [`A-${username}`, `B-${username}`];
  for (const short of shorts) await team(short);
  const given = [
    {
      username,
      user_first_name: 'Äda',
      user_last_name: '=1+1',
      phonenumber: '+39 06 555',
      teams: shorts.toReversed(),
      roles: ['one', 'two'],
      apps: ['crm', 'core'],
      lockoutenabled: false,
      islocked: true,
      lockoutend: END,
      lock_reason: 'x;=1',
    },
    { username: `${username}-b`, isactive: false, islocked: true, emailconfirmed: true },
  ];
  await run(['import', fileOf('given.jsonl', given), '--force']);
  await account({ username: `${username}-c`, never_used: false, lastActivity: '2020-01-01T00:00:00' });
  const listOf = async (q: string, separator: string) =>
    (await run(['account', 'list', '--q', q, '--separator', separator])).stdout;
  for (const [separator, sign] of [
    ['comma', ','],
    ['semicolon', ';'],
    ['tab', '\t'],
  ] as const) {
    const text = await listOf(username, separator);
    const [head = '', ...lines] = text.trimEnd().split('\n');
    const rows = lines.map((line) => {
      const cells = line.slice(1, -1).split(`"${sign}"`);
      return Object.fromEntries(
        head
          .slice(1, -1)
          .split(`"${sign}"`)
          .map((name, n) => [name, cells[n]]),
      );
    });
    expect(rows).toMatchObject([
      { teams: shorts.toReversed().join(' '), roles: 'one two', apps: 'crm core', lastActivity: '' },
      { isactive: 'false', islocked: 'true', lockoutend: '', lastActivity: '' },
      { username: `${username}-c`, lastActivity: '2020-01-01T00:00:00Z' },
    ]);
    const other = newName(separator);
    const file = fileOf('again.csv', text.replaceAll(`"${username}`, `"${other}`));
    expect((await json(['import', file])).answer).toEqual({ created: 3, existing: 0, failed: 0 });
    const same = (await listOf(other, separator)).replaceAll(other, username);
    const imported = /^(?:"[^"]*".){18}/gm;
    expect(same.match(imported)).toEqual(text.match(imported));
  }
});

test('import creates machines after the persons who answer for them, wherever these are in the file', async () => {
  const before = await account();
  const head = 'Benutzername,Kind,Owner,roles';
  const rows = [
    `${username}-ci,machine,${username.toUpperCase()},sys_introspection`,
    `${username}-job,machine,${before.username},`,
    `${username},person,,`,
  ];
  const file = fileOf('machines.csv', [head, ...rows].join('\n'));
  expect((await json(['import', file])).answer).toEqual({ created: 3, existing: 0, failed: 0 });
  expect(await stored({ username: `${username}-ci` })).toMatchObject({ kind: 'machine', owner: username });
  expect(await stored({ username: `${username}-job` })).toMatchObject({ owner: before.username });
  expect(await stored({ username })).not.toHaveProperty('kind');
  const listed = (await json(['account', 'list', '--kind', 'machine', '--q', username])).answer;
  expect(listed.map((each: { username: string; owner: string }) => [each.username, each.owner])).toEqual([
    [`${username}-ci`, username],
    [`${username}-job`, before.username],
  ]);
});

test('import names the field of each fault of a machine, and gives it nothing that lets a person in', async () => {
  const owner = (await account()).username;
  const [gone, machine] = [await account({ isactive: false }), await account({ kind: 'machine', owner })];
  const faults: [more: object, field: string][] = [
    [{ owner: undefined }, 'owner'],
    [{ kind: undefined }, 'owner'],
    [{ kind: 'robot' }, 'kind'],
    [{ password: 'correct horse battery' }, 'password'],
    [{ password_hash: `$2y$10$${'a'.repeat(53)}` }, 'password'],
    [{ roles: ['sys_tokens'] }, 'roles'],
    [{ roles: ['sys_administrator'] }, 'roles'],
    [{ roles: ['sys_new'] }, 'roles'],
  ];
  const lines = faults.map(([more], n) => ({
    username: `${username}-${n}`,
    kind: 'machine',
    owner,
    ...more,
  }));
  const checked = await json(['import', fileOf('faults.jsonl', lines), '--force']);
  expect(checked.code).not.toBe(0);
  const found = checked.answer.errors.map(({ field }: { field: string }) => field);
  expect(found).toEqual(faults.map(([, field], n) => `line ${n + 1}, ${field}`));
  // Only the table knows who may answer for a machine.
  const owners = [gone.username, machine.username, `${username}-nobody`, `${username}-5`];
  const others = owners.map((each, n) => ({ username: `${username}-${n}`, kind: 'machine', owner: each }));
  const written = await run(['import', fileOf('owners.jsonl', [...others, { username: `${username}-5` }])]);
  expect([written.code, written.stderr.match(/Must be the username of an active person/g)]).toEqual([
    1,
    Array(3).fill('Must be the username of an active person'),
  ]);
  expect(await stored({ username: `${username}-3` })).toMatchObject({ owner: `${username}-5` });
  for (const n of [0, 1, 2]) expect(await stored({ username: `${username}-${n}` })).toBeUndefined();
});

test('a list of accounts as a workbook is imported again, and its rejected rows come back as CSV', async () => {
  const given = [
    {
      username: `${username}-1E5`,
      phonenumber: '+491712345678',
      user_last_name: '1/2',
      user_first_name: "'=1",
    },
    { username: `${username}-2`, phonenumber: '0171', user_last_name: "'t Hooft", lockoutenabled: false },
  ];
  await run(['import', fileOf('given.jsonl', given)]);
  const listed = await run(['account', 'list', '--q', username, '--format', 'xlsx']);
  const file = join(data, `${username}.xlsx`);
  writeFileSync(file, listed.stdout, 'latin1');
  const rejects = join(data, `${username}-again.csv`);
  expect((await json(['import', file, '--rejects', rejects])).answer).toMatchObject({
    created: 0,
    existing: 2,
  });
  const other = newName('workbook');
  const again = readFileSync(rejects, 'utf8').replaceAll(username, other);
  expect(again.split('\n')[0]).toContain('fault,"username"');
  expect((await json(['import', fileOf('again.csv', again)])).answer).toMatchObject({
    created: 2,
    existing: 0,
  });
  const { stdout } = await run(['account', 'list', '--q', other, '--json']);
  expect(JSON.parse(stdout.replaceAll(other, username))).toMatchObject(given);
});
