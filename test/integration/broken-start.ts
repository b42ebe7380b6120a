import { spawnSync } from 'node:child_process';
import { chmod, cp, mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { startEngine } from '../../infra/local/engine/engine.ts';
import { newFolder } from './folder.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Whether this machine gives a program mounts of its own, which end with it. */
export const canMount = spawnSync('unshare', ['-rm', 'true']).status === 0;

/** What runs a program that sees an empty file system in the place of a folder. */
export const mounted = (options: string, folder: string) => [
  'unshare',
  '-rm',
  'sh',
  '-c',
  `mount -t tmpfs -o ${options} tmpfs "$0" && exec "$@"`,
  folder,
];

/** The sources, with an engine that may not be executed, or without any. */
export async function withEngine(mode: number | undefined): Promise<string> {
  const root = await newFolder();
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

/** A table as a version without the second index would have made it. */
export async function olderTable(): Promise<string> {
  const data = await newFolder();
  const engine = await startEngine(join(data, 'dynamodb.sqlite'));
  const client = new DynamoDBClient({
    endpoint: engine.url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
  });
  const key = (AttributeName: string, KeyType: 'HASH' | 'RANGE') => ({ AttributeName, KeyType });
  const keys = ['PK', 'SK', 'GSI1PK', 'GSI1SK'];
  await client.send(
    new CreateTableCommand({
      TableName: 'core-account',
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: keys.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      KeySchema: [key('PK', 'HASH'), key('SK', 'RANGE')],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'GSI1',
          KeySchema: [key('GSI1PK', 'HASH'), key('GSI1SK', 'RANGE')],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
    }),
  );
  client.destroy();
  await engine.close();
  return data;
}
