import { join } from 'node:path';
import { CloudFormationClient, paginateListStackResources } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { createClient } from '#lib/client/index';
import type { Assembly } from './assembly.ts';
import { admin, type Cloud, deployService, type Outputs, run, runAdmin } from './cloud.ts';
import { UNREPORTED } from './differences.ts';
import { checkOut, formerCommit, hasCommit } from './former.ts';
import { rotateResources, rotateWith } from './rotation.ts';

/** A stack of its own, first of the version before, then of this tree. */
const STACK = 'upgraded';
const cloud = inject('cloud');
const former: Cloud = { ...cloud, checkout: join(cloud.folder, 'former') };

const PASSWORD = 'a lighthouse keeper paints the seventh door';

type Item = Readonly<Record<string, unknown>>;

let outputs: Record<'before' | 'after', Outputs>;
let resources: Record<'before' | 'after', ReadonlyMap<string, Resource>>;
let items: Record<'before' | 'after', ReadonlyMap<string, Item>>;
let token: string;
let session: string;

const client = (credential?: Parameters<typeof createClient>[0]['credential']) =>
  createClient({ url: outputs.after['ApiUrl'] as string, credential });

interface Resource {
  readonly type: string;
  readonly physicalId: string;
}

/** The resources of the stack by logical ID. */
async function resourcesOf(): Promise<ReadonlyMap<string, Resource>> {
  const found = new Map<string, Resource>();
  const client = new CloudFormationClient();
  for await (const { StackResourceSummaries = [] } of paginateListStackResources(
    { client },
    { StackName: STACK },
  ))
    for (const {
      LogicalResourceId = '',
      PhysicalResourceId = '',
      ResourceType = '',
    } of StackResourceSummaries)
      found.set(LogicalResourceId, { type: ResourceType, physicalId: PhysicalResourceId });
  return found;
}

/** What holds data, and the addresses of the instance. */
const isRetained = ([id, { type }]: readonly [string, Resource]) =>
  /DynamoDB::GlobalTable|SecretsManager::Secret$|Events::EventBus$|ApiGatewayV2::Api$/.test(type) ||
  id.startsWith('AuditLog');

async function scan(TableName: string): Promise<ReadonlyMap<string, Item>> {
  const found = new Map<string, Item>();
  const table = DynamoDBDocumentClient.from(new DynamoDBClient());
  for await (const { Items = [] } of paginateScan({ client: table }, { TableName, ConsistentRead: true }))
    for (const item of Items) found.set(`${item['PK']} ${item['SK']}`, item);
  return found;
}

/** The grants of the version before were tested with it. The emulator evaluates none of its conditions. */
function permitAll({ template }: Assembly) {
  const Statement = [{ Effect: 'Allow', Action: '*', Resource: '*' }];
  for (const { Type, Properties } of Object.values(template.Resources))
    if (Type === 'AWS::IAM::Role')
      Object.assign(Properties as object, {
        Policies: [{ PolicyName: 'all', PolicyDocument: { Version: '2012-10-17', Statement } }],
      });
}

/** Creates with the version before what a table may hold. */
async function populate(url: string): Promise<void> {
  const command = (text: string) => admin(former, STACK, ...text.split(' '));
  const { FirstAdministratorCommand } = outputs.before;
  await run(former, ['bash', '-c', FirstAdministratorCommand as string], 'the password of the first one\n');
  await command('team create ops --name Operations');
  await runAdmin(
    former,
    STACK,
    'account create ada --role editor --team ops --app crm --password-stdin'.split(' '),
    PASSWORD,
  );
  token = (await command('token create ci ada')).trim();
  for (const name of ['leaver', 'locked']) await command(`account create ${name}`);
  await command('account cancel leaver --yes');
  await command('account lock locked');
  const { JWTtoken } = await createClient({ url }).account.login({ username: 'ada', password: PASSWORD });
  session = JWTtoken;
  const own = createClient({ url, credential: { token } });
  await own.account.profileUpdate({ user_properties: { root: { desk: '4.12' } } });
}

const commit = formerCommit();
const isMissing = !hasCommit(commit);
if (isMissing)
  console.log(`skipped: this clone lacks ${commit}, the version before; git fetch --unshallow adds it`);
// Where the emulator is required, so is the history.
const skips = isMissing && process.env['EMULATOR'] !== 'required';

describe.skipIf(skips)('an upgrade from the version before', () => {
  beforeAll(async () => {
    checkOut(commit, former.checkout as string);
    const before = await deployService(former, STACK, { edit: permitAll });
    outputs = { before, after: {} };
    const created = await resourcesOf();
    const rotation = [...created].find(
      ([id, { type }]) => type === 'AWS::Lambda::Function' && /^keysrotatesigningkey/.test(id),
    );
    await rotateWith(
      new LambdaClient(),
      rotation?.[1].physicalId as string,
      before['SigningKeySecretId'] as string,
    );
    await populate(before['ApiUrl'] as string);
    const itemsBefore = await scan(before['TableName'] as string);
    const after = await deployService(cloud, STACK);
    // The schedule of the second secret starts it on AWS.
    if (!before['ResourceKeySecretId']) await rotateResources(new LambdaClient(), STACK, after);
    outputs = { before, after };
    resources = { before: created, after: await resourcesOf() };
    items = { before: itemsBefore, after: await scan(after['TableName'] as string) };
  });

  test('no resource with data is replaced', () => {
    const before = [...resources.before].filter(isRetained);
    expect(before.map(([id]) => id).sort()).toEqual([
      expect.stringMatching(/^ApiGateway/),
      expect.stringMatching(/^AuditLog/),
      expect.stringMatching(/^DataErasureKeySecret/),
      expect.stringMatching(/^DataSigningKeySecret/),
      expect.stringMatching(/^DataTable/),
      expect.stringMatching(/^EventsBus/),
    ]);
    for (const [id, resource] of before) expect(resources.after.get(id), id).toEqual(resource);
    for (const name of ['ApiUrl', 'TableName', 'EventBusName', 'SigningKeySecretId', 'AuditLogGroupName'])
      expect(outputs.after[name], name).toBe(outputs.before[name]);
  });

  test('the stack has the keys of tokens for other services, and their first rotation', async () => {
    expect(outputs.after['ResourceKeySecretId']).toMatch(/DataResourceKeySecret/);
    const keys = JSON.parse(await admin(cloud, STACK, 'keys', 'list', '--json')) as Record<string, string>[];
    const states = keys.filter(({ signs }) => signs === 'resources').map(({ state }) => state);
    expect(states.sort()).toEqual(['published', 'signs']);
  });

  test('no item is lost or changed', () => {
    for (const [key, item] of items.before) expect(items.after.get(key), key).toEqual(item);
  });

  test('passwords, tokens, sessions, profiles, locks and cancellations are as they were', async () => {
    const { JWTtoken } = await client().account.login({ username: 'ada', password: PASSWORD });
    for (const credential of [{ token }, { session }, { session: JWTtoken }])
      expect(await client(credential).system.ping()).toMatchObject({ ping: 'pong' });
    const { user } = await client({ token }).account.profile();
    expect(user?.user_properties.root).toEqual({ desk: '4.12' });
    const list = JSON.parse(await admin(cloud, STACK, 'account', 'list', '--json')) as Item[];
    const states = Object.fromEntries(
      list.map(({ username, isactive, lockoutend }) => [username, [isactive, lockoutend !== null]]),
    );
    expect(states).toEqual({
      admin: [true, false],
      ada: [true, false],
      leaver: [false, false],
      locked: [true, true],
    });
  });

  test('doctor finds nothing but what the emulator lacks, after the step that the changelog names', async () => {
    await runAdmin(cloud, STACK, ['restore', 'check', '--mend']);
    const unmended = Object.keys(UNREPORTED).filter((check) => !UNREPORTED[check]?.isMended);
    const { stdout } = await runAdmin(cloud, STACK, ['--json', 'doctor']);
    const { errors } = JSON.parse(stdout) as { errors: { field: string }[] };
    expect(errors.map(({ field }) => field)).toEqual(unmended);
  });
});
