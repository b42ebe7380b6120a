/** A module of a package that no function can reach. */
export interface Unreachable {
  /** Path of the file in `node_modules`, or name of a module that is imported dynamically. */
  readonly module: string;
  /** Why no function reaches it. */
  readonly because: string;
}

const SMITHY = '@smithy/core/dist-es/submodules';
const NO_STREAMS = 'no operation that functions call has a stream of events';

/** Modules that stay out of the bundles. */
export const UNREACHABLE: readonly Unreachable[] = [
  {
    module: `${SMITHY}/event-streams/eventstream-serde-universal/EventStreamMarshaller.js`,
    because: NO_STREAMS,
  },
  { module: '@smithy/core/event-streams', because: NO_STREAMS },
  { module: '@smithy/signature-v4/dist-es/HeaderFormatter.js', because: NO_STREAMS },
  {
    module: 'mnemonist/lru-cache.js',
    because: 'it caches endpoints that are discovered, and no operation of DynamoDB discovers any',
  },
  { module: `${SMITHY}/checksum/sha256/Sha256Js.js`, because: 'node:crypto computes SHA-256' },
  {
    module: `${SMITHY}/retry/util-retry/AdaptiveRetryStrategy.js`,
    because: 'the retry mode is the standard one',
  },
  {
    module: `${SMITHY}/config/config-resolver/regionConfig/getInstanceMetadataRegion.js`,
    because: 'Lambda sets AWS_REGION',
  },
  {
    module: `${SMITHY}/endpoints/middleware-endpoint/service-customizations/s3.js`,
    because: 'no function calls S3',
  },
  {
    module: 'cssfilter/lib/index.js',
    because: 'the allow-list of previews permits no style attribute',
  },
];
