import type { InstanceFile } from '../../infra/local/ready.ts';

export const SERVICES = ['dynamodb', 'events', 'secretsmanager'] as const;

/** A call to one of the services behind a local instance that changes nothing and needs no state. */
const callsOf = ({ table }: InstanceFile) =>
  ({
    dynamodb: ['DynamoDB_20120810.Scan', { TableName: table, Limit: 1 }],
    events: ['AWSEvents.PutEvents', { Entries: [{ Source: 's', DetailType: 't', Detail: '{}' }] }],
    secretsmanager: ['secretsmanager.GetSecretValue', { SecretId: 'signing-key' }],
  }) as const;

/** A request as the SDK sends it to one of these services, for `fetch`. The services do not verify signatures. */
export function signedRequest(file: InstanceFile, service: (typeof SERVICES)[number]) {
  const [target, input] = callsOf(file)[service];
  const scope = `${file.credentials?.accessKeyId}/20261121/us-east-1/${service}/aws4_request`;
  return {
    url: file[service],
    init: {
      method: 'POST',
      headers: {
        authorization: `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=0`,
        'content-type': `application/x-amz-json-${service === 'dynamodb' ? '1.0' : '1.1'}`,
        'x-amz-target': target,
        'x-amz-date': '20261121T000000Z',
      },
      body: JSON.stringify(input),
    },
  };
}
