import type { InstanceFile } from '../../infra/local/ready.ts';

export const SERVICES = ['dynamodb', 'events', 'secretsmanager'] as const;

/** A call to one of the services behind a local instance that changes nothing and needs no state. */
const callsOf = ({ table }: InstanceFile) =>
  ({
    dynamodb: ['DynamoDB_20120810.Scan', { TableName: table, Limit: 1 }],
    events: ['AWSEvents.PutEvents', { Entries: [{ Source: 's', DetailType: 't', Detail: '{}' }] }],
    secretsmanager: ['secretsmanager.GetSecretValue', { SecretId: 'signing-key' }],
  }) as const;

/**
 * What the SDK would send to one of these services, for `fetch`. Signatures are not verified there.
 *
 * @param accessKey undefined sends none
 */
export function signedRequest(
  file: InstanceFile,
  service: (typeof SERVICES)[number],
  accessKey: string | undefined,
) {
  const [target, input] = callsOf(file)[service];
  const signed = {
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKey}/20261121/us-east-1/${service}/aws4_request, SignedHeaders=host, Signature=0`,
  };
  return {
    url: file[service],
    init: {
      method: 'POST',
      headers: {
        'content-type': `application/x-amz-json-${service === 'dynamodb' ? '1.0' : '1.1'}`,
        'x-amz-target': target,
        'x-amz-date': '20261121T000000Z',
        ...(accessKey === undefined ? {} : signed),
      },
      body: JSON.stringify(input),
    },
  };
}
