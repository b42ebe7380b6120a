import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { expect, test } from 'vitest';
import { expressionsBy, operationsOnly, suffixesOnly } from '../../infra/bundle/edits.ts';
import { regionalEndpoints } from '../../infra/bundle/regional-endpoints.ts';
import type { Unreachable } from '../../infra/bundle/unreachable.ts';
import { bundled, bundledExports } from './bundled.ts';

const LEFT_OUT: Unreachable = {
  module: 'uuid/dist-node/v7.js',
  because: 'it is left out in this test',
  throws: ['default'],
};

const USE = { service: 'uuid', errors: [] };
const SCHEMAS = `const _V = "V7";
export var V7$ = [9, n0, _V,
import { UuidServiceException } from "../models/UuidServiceException";
`;

test('what is left out fails by its name where it is reached', async () => {
  const out = { ...LEFT_OUT, throws: ['v7'], code: 'export default v7;' };
  const { v7 } = await bundled<{ v7: () => string }>(`export { v7 } from 'uuid';`, [out]);
  expect(() => v7()).toThrow('v7 of uuid/dist-node/v7.js is not in this bundle');
});

test.each<[string, Partial<Unreachable>, string]>([
  [
    'a module that nothing imports',
    { module: 'uuid/dist-node/v0.js' },
    'uuid/dist-node/v0.js is to be left out',
  ],
  ['an export that is asked for, and was not named', { throws: ['other'] }, 'No matching export'],
  [
    'schemas that are not as they were',
    { edit: (code) => operationsOnly(code, USE) },
    'The operations are not',
  ],
  [
    'an error that a client does not have',
    { edit: (code) => operationsOnly(`${SCHEMAS}${code}`, { ...USE, errors: ['NoException'] }) },
    'No error is registered as NoException',
  ],
  [
    'expressions that are not made where they were',
    { edit: (code) => expressionsBy('made', 'nowhere', code) },
    'The expressions of marked are not made where they were',
  ],
  ['a list that is not as it was', { edit: suffixesOnly }, 'The list of partitions is not where it was'],
])('%s fails the build', async (_, change, message) => {
  await expect(bundled(`export { v7 } from 'uuid';`, [{ ...LEFT_OUT, ...change }])).rejects.toThrow(message);
});

/** Regions of every partition, and one that nobody knows. */
const REGIONS =
  'us-east-1 eu-central-1 ap-southeast-7 cn-north-1 us-gov-west-1 us-gov-east-1 us-iso-east-1 us-isob-east-1 eu-isoe-west-1 us-isof-south-1 eusc-de-east-1 aws-global mars-1';

const CLIENTS = { CloudWatchLogsClient, DynamoDBClient, EventBridgeClient, SecretsManagerClient };

test('the clients of functions resolve endpoints as those of the SDK do', async () => {
  const own = await bundledExports<typeof CLIENTS>({
    '@aws-sdk/client-cloudwatch-logs': ['CloudWatchLogsClient'],
    '@aws-sdk/client-dynamodb': ['DynamoDBClient'],
    '@aws-sdk/client-eventbridge': ['EventBridgeClient'],
    '@aws-sdk/client-secrets-manager': ['SecretsManagerClient'],
  });
  const cases = [
    ...REGIONS.split(' ').map((Region) => ({ Region })),
    { Endpoint: 'http://127.0.0.1:8000/x' },
  ];
  for (const name of Object.keys(CLIENTS) as (keyof typeof CLIENTS)[])
    for (const given of cases) {
      const parameters = { Region: 'us-east-1', UseFIPS: false, UseDualStack: false, ...given } as never;
      const endpointOf = (client: { config: unknown }) =>
        (client.config as { endpointProvider: (of: never, context: object) => unknown }).endpointProvider(
          parameters,
          {},
        );
      const region = { region: 'us-east-1' };
      expect(endpointOf(new own[name](region)), name).toEqual(endpointOf(new CLIENTS[name](region)));
    }
});

test.each([
  ['FIPS', { UseFIPS: true, Region: 'us-east-1' }, 'Endpoints of FIPS and of IPv6 are not in this bundle'],
  [
    'IPv6',
    { UseDualStack: true, Region: 'us-east-1' },
    'Endpoints of FIPS and of IPv6 are not in this bundle',
  ],
  ['no region', {}, 'Missing Region'],
])('a client that is set to %s sends nothing elsewhere, but fails', (_, parameters, message) => {
  const endpointOf = regionalEndpoints('dynamodb', () => ({ dnsSuffix: 'amazonaws.com' }));
  expect(() => endpointOf(parameters)).toThrow(message);
});
