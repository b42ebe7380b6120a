import { spawnSync } from 'node:child_process';
import { chmod, cp, mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { attributesOf, keySchema } from '#infra/table/checks';
import { TABLE } from '#lib/table/shape';
import { startEngine } from '../../infra/local/services/engine.ts';
import { newFolder } from '../unit/support/folder.ts';

export const ROOT = join(import.meta.dirname, '../..');

/** Whether this machine permits a program to have mounts of its own, which end with it. */
export const canMount = spawnSync('unshare', ['-rm', 'true']).status === 0;

/** A command that runs a program with an empty file system mounted on a folder. */
export const mounted = (options: string, folder: string) =>
  ['unshare', '-rm', 'sh', '-c', `mount -t tmpfs -o ${options} tmpfs "$0" && exec "$@"`].concat(folder);

/** Copies the sources, and the engine with a file mode; undefined omits the engine. */
export async function withEngine(mode?: number): Promise<string> {
  const root = newFolder();
  for (const name of ['infra', 'lib', 'package.json'])
    await cp(join(ROOT, name), join(root, name), { recursive: true });
  const [from, to] = [join(ROOT, 'node_modules'), join(root, 'node_modules')];
  await mkdir(join(to, '@dynoxide'), { recursive: true });
  for (const name of await readdir(from))
    if (name !== '@dynoxide') await symlink(join(from, name), join(to, name));
  if (mode === undefined) return root;
  const engine = `@dynoxide/${process.platform}-${process.arch}`;
  await cp(join(from, engine), join(to, engine), { recursive: true });
  await chmod(join(to, engine, 'dynoxide'), mode);
  return root;
}

/** A data directory whose table has no index. */
export async function olderTable(): Promise<string> {
  const data = newFolder();
  const { url, close } = await startEngine(join(data, 'dynamodb.sqlite'));
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
  const client = new DynamoDBClient({ endpoint: url, region: 'us-east-1', credentials });
  await client.send(
    new CreateTableCommand({
      TableName: 'core-account',
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: attributesOf(TABLE),
      KeySchema: keySchema(TABLE),
    }),
  );
  client.destroy();
  await close();
  return data;
}
