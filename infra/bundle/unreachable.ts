const SMITHY = '@smithy/core/dist-es/submodules';
const PAGINATION = '@aws-sdk/lib-dynamodb/dist-es/pagination';
const NO_STREAMS = 'no operation that functions call has a stream of events';

/**
 * Modules of packages that no function reaches, with the reason. The key is the path in `node_modules`, or the name of a
 * dynamically imported module.
 */
export const UNREACHABLE: Readonly<Record<string, string>> = {
  [`${SMITHY}/event-streams/eventstream-serde-universal/EventStreamMarshaller.js`]: NO_STREAMS,
  '@smithy/core/event-streams': NO_STREAMS,
  '@smithy/signature-v4/dist-es/HeaderFormatter.js': NO_STREAMS,
  '@aws-sdk/endpoint-cache/dist-es/EndpointCache.js': 'DynamoDB has no endpoints that are discovered',
  [`${SMITHY}/checksum/sha256/Sha256Js.js`]: 'node:crypto computes SHA-256',
  [`${SMITHY}/retry/util-retry/AdaptiveRetryStrategy.js`]: 'the retry mode is the standard one',
  [`${SMITHY}/config/config-resolver/regionConfig/getInstanceMetadataRegion.js`]: 'Lambda sets AWS_REGION',
  [`${SMITHY}/endpoints/middleware-endpoint/service-customizations/s3.js`]: 'no function calls S3',
  [`${PAGINATION}/ScanPaginator.js`]: 'no function scans the table',
  [`${PAGINATION}/QueryPaginator.js`]: 'listings read page by page with cursors of their own',
  '@peculiar/x509/build/x509.es.js':
    'passkeys have no attestation with certificates, which would be requested by URL',
};
