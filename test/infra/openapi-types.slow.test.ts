import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApi } from '../../infra/openapi.ts';

const run = promisify(execFile);

/** Another project; the generator needs a TypeScript older than that of this project. */
const project = await mkdtemp(join(tmpdir(), 'core-account-types-'));
afterAll(() => rm(project, { recursive: true, force: true }));

beforeAll(async () => {
  await writeFile(join(project, 'openapi.json'), JSON.stringify(openApi()));
  await writeFile(join(project, 'caller.ts'), CALLER);
  const packages = ['openapi-typescript@7.13.0', 'typescript@5.9.3'];
  await run('npm', ['install', '--prefix', project, '--prefer-offline', '--no-audit', ...packages]);
  const generator = join(project, 'node_modules/.bin/openapi-typescript');
  await run(generator, ['openapi.json', '-o', 'api.ts'], { cwd: project });
});

const CALLER = `
import type { operations, webhooks } from './api.ts';

type Responses<Id extends keyof operations> = operations[Id]['responses'];
type Content<Response> = Response extends { content: { 'application/json': infer Body } } ? Body : never;
type ErrorOf<Id extends keyof operations> = Content<Responses<Id>[Exclude<keyof Responses<Id>, 200 | 304>]>;

declare const failed: ErrorOf<'token.create'>;
console.log(failed.data?.code === 'token_limit');
if (failed.success === false) console.log(failed.data.code === 'token_exists');
else console.log(failed.message);
// @ts-expect-error the operation does not answer this code
if (failed.data) console.log(failed.data.code === 'too_complex');

type Event<Type extends keyof webhooks> = webhooks[Type]['post']['requestBody']['content']['application/json'];
export const userOf = (event: Event<'user_cancel'> | Event<'user_reactivate'>): string =>
  event['detail-type'] === 'user_cancel' ? event.detail.cancelled_by : event.detail.reactivated_by;
`;

test('a project compiles against the code of a failure and the events when openapi-typescript generates its types', async () => {
  const compiler = join(project, 'node_modules/.bin/tsc');
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--allowImportingTsExtensions'];
  const { stdout } = await run(compiler, [...options, 'caller.ts'], { cwd: project }).catch((error) => error);
  expect(stdout).toBe('');
});
