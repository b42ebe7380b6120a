import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../unit/support/folder.ts';
import { startInstance } from './instance-process.ts';
import { noted } from './service.ts';

/** A copy of all sources, so that changes affect no other test. */
async function copyOfSources(): Promise<string> {
  const root = newFolder();
  for (const name of ['LICENSE', 'functions', 'infra', 'lib', 'package.json'])
    await cp(name, join(root, name), { recursive: true });
  await symlink(join(process.cwd(), 'node_modules'), join(root, 'node_modules'));
  return root;
}

test('with --watch the request after a change runs it, with the state as it was', async () => {
  const root = await copyOfSources();
  const args = ['--no-demo', '--memory', '--watch'];
  const instance = await startInstance({ data: join(root, '.local'), root, args, build: true });
  const headers = { authorization: `Token ${noted(instance.ready.admin.token as string)}` };
  // Not by `get`, which refuses answers not described by the OpenAPI document.
  const ping = async () =>
    (await (await fetch(`${instance.ready.url}/api/core/system/ping`, { headers })).json()) as object;
  const file = join(root, 'lib/system/ping.ts');
  const source = await readFile(file, 'utf8');
  expect(await ping()).toMatchObject({ ping: 'pong', username: 'admin' });

  await writeFile(file, source.replace("'pong'", "'changed'"));
  expect(await ping(), 'the token was made before').toMatchObject({ ping: 'changed', username: 'admin' });

  await writeFile(file, source.replace("'pong'", "'"));
  expect(await ping(), 'what does not build is not run').toMatchObject({ ping: 'changed' });
  expect(instance.output()).toMatch(/lib\/system\/ping\.ts:\d+:\d+/);
  expect(instance.output()).toContain('not built: the functions of the last build keep answering');

  await writeFile(file, source);
  expect(await ping()).toMatchObject({ ping: 'pong' });
});
