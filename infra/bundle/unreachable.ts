import { join } from 'node:path';
import { expressionsBy, operationsOnly, suffixesOnly, type Use } from './edits.ts';

/** A module of a package that no function can reach, or of which none can reach all. */
export interface Unreachable {
  /** Path of the file in `node_modules`. */
  readonly module: string;
  /** Why it is not reached. */
  readonly because: string;
  /** What is imported from it: each throws its name where it is called. */
  readonly throws?: readonly string[];
  /** Code that takes its place. */
  readonly code?: string;
  /** Changes its code. @throws Error where the code is not as it was when this was written */
  readonly edit?: (code: string) => string;
}

/** The clients that functions have. */
export const CLIENTS: Readonly<Record<string, Use>> = {
  '@aws-sdk/client-dynamodb': {
    service: 'dynamodb',
    // Its class has it tried again; of a table in several regions that are consistent with each other.
    errors: ['ReplicatedWriteConflictException'],
    tokens: { TransactWriteItems: 'ClientRequestToken' },
  },
  '@aws-sdk/client-eventbridge': { service: 'events', errors: [], hasTimes: true },
  '@aws-sdk/client-secrets-manager': {
    service: 'secretsmanager',
    errors: ['ResourceNotFoundException'],
    hasTimes: true,
  },
  '@aws-sdk/client-cloudwatch-logs': {
    service: 'logs',
    errors: ['ResourceAlreadyExistsException', 'ResourceNotFoundException'],
  },
};

const beside = (file: string) => JSON.stringify(join(import.meta.dirname, file));

const SMITHY = '@smithy/core/dist-es/submodules';

/**
 * What stays out of the bundles: more than half of what the SDK would bring. Each line holds only as long as its reason; a
 * function that reaches one all the same fails with its name, and a build in which one is not met fails as well.
 */
export const UNREACHABLE: readonly Unreachable[] = [
  {
    module: '@aws-sdk/credential-provider-node/dist-es/index.js',
    because:
      'credentials are in environment variables, in Lambda as in the local instance; other providers weigh 135 kB',
    code: `export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';`,
  },
  {
    module: `${SMITHY}/event-streams/index.js`,
    because: 'no operation that is called has a stream of events in its request or its answer',
    throws: ['EventStreamSerde', 'eventStreamSerdeProvider'],
    code: 'export const resolveEventStreamSerdeConfig = (config) => config;',
  },
  {
    module: '@smithy/signature-v4/dist-es/HeaderFormatter.js',
    because: 'it formats headers of events in a stream; the class is made with every signer',
    code: 'export class HeaderFormatter { format() { throw new Error("HeaderFormatter is not in this bundle"); } }',
  },
  {
    module: `${SMITHY}/config/shared-ini-file-loader/loadSharedConfigFiles.js`,
    because: 'no function has files of profiles; the SDK asks for them, and takes none for empty',
    code: `export { CONFIG_PREFIX_SEPARATOR } from './constants';
    export const loadSharedConfigFiles = async () => ({ configFile: {}, credentialsFile: {} });`,
  },
  {
    module: `${SMITHY}/config/config-resolver/regionConfig/getInstanceMetadataRegion.js`,
    because: 'AWS_REGION is set in every function, so that no machine is asked for its region',
    throws: ['getInstanceMetadataRegion'],
  },
  {
    module: `${SMITHY}/config/defaults-mode/resolveDefaultsModeConfig.js`,
    because: 'no function sets a mode of defaults; this is what it is then, in every region',
    code: `export const resolveDefaultsModeConfig = () => async () => 'legacy';`,
  },
  {
    module: `${SMITHY}/retry/util-retry/AdaptiveRetryStrategy.js`,
    because: 'the retry mode is the standard one',
    throws: ['AdaptiveRetryStrategy'],
  },
  {
    module: `${SMITHY}/checksum/sha256/Sha256Js.js`,
    because: 'Node.js hashes by itself',
    throws: ['Sha256Js'],
  },
  {
    module: `${SMITHY}/serde/uuid/v4.js`,
    because:
      'Node.js makes UUIDs by itself; to ask for them by the global has all of Web Crypto loaded with the bundle',
    code: `import { randomUUID } from 'node:crypto';
    export const bindV4 = () => () => randomUUID();`,
  },
  {
    module: `${SMITHY}/serde/date-utils.js`,
    because: 'of the formats of HTTP, that of Retry-After alone is read, and JavaScript reads it',
    throws: [
      'dateToUtcString',
      'parseRfc3339DateTime',
      'parseRfc3339DateTimeWithOffset',
      'parseEpochTimestamp',
    ],
    code: 'export const parseRfc7231DateTime = (text) => new Date(text);',
  },
  {
    module: '@aws-sdk/core/dist-es/submodules/client/middleware-logger/loggerMiddleware.js',
    because: 'the logger of every client drops all, after a copy of the input and the output was made for it',
    throws: ['loggerMiddleware'],
    code: `export const loggerMiddlewareOptions = {};
    export const getLoggerPlugin = () => ({ applyToStack() {} });`,
  },
  {
    module: '@aws-sdk/core/dist-es/submodules/client/middleware-user-agent/check-features.js',
    because:
      'it tells AWS in each request which features of the SDK are used; the user agent names the function without',
    code: 'export const checkFeatures = async () => {};',
  },
  {
    module: '@aws-sdk/core/dist-es/submodules/client/emitWarningIfUnsupportedVersion.js',
    because: 'it warns of versions of Node.js before the one that functions run on',
    code: 'export const emitWarningIfUnsupportedVersion = () => {}, state = {};',
  },
  {
    module: '@aws-sdk/signature-v4-multi-region/dist-es/index.js',
    because: 'a bus is in one region; signatures for several need a package that is not there',
    throws: ['SignatureV4SignWithCredentials'],
    code: `import { SignatureV4 } from '@smithy/signature-v4';
    export class SignatureV4MultiRegion extends SignatureV4 { static sigv4aDependency() { return 'none'; } }
    export const signatureV4CrtContainer = {};`,
  },
  {
    module: '@aws-sdk/client-dynamodb/dist-es/commands/DescribeEndpointsCommand.js',
    because: 'no operation of DynamoDB looks up its endpoint',
    code: 'export const DescribeEndpointsCommand = undefined;',
  },
  {
    module: '@aws-sdk/middleware-endpoint-discovery/dist-es/resolveEndpointDiscoveryConfig.js',
    because: 'no operation of DynamoDB looks up its endpoint; the cache for that is made with every client',
    code: 'export const resolveEndpointDiscoveryConfig = (config) => config;',
  },
  {
    module: `${SMITHY}/endpoints/middleware-endpoint/service-customizations/s3.js`,
    because: 'no function calls S3',
    throws: ['resolveParamsForS3'],
    code: 'export const DOT_PATTERN = undefined, S3_HOSTNAME_PATTERN = undefined, isArnBucketName = undefined, isDnsCompatibleBucketName = undefined;',
  },
  ...['1.0', '1.1'].map((version) => {
    const name = `AwsJson${version.replace('.', '_')}Protocol`;
    return {
      module: `@aws-sdk/core/dist-es/submodules/protocols/json/${name}.js`,
      because:
        'messages are JSON as they are, without binary values; what reads and writes them by their schemas weighs 45 kB',
      code: `import { HttpRequest } from '@smithy/core/transport';
        import { decorateServiceException } from '@smithy/core/client';
        import { awsJson } from ${beside('aws-json.ts')};
        export const ${name} = awsJson('${version}', HttpRequest, decorateServiceException);`,
    };
  }),
  {
    module: '@aws-sdk/dynamodb-codec/dist-es/codec-v2/DynamoDBJsonCodec2.js',
    because: 'the protocol above has no codec; one is made with every client',
    code: 'export class DynamoDBJsonCodec2 {}',
  },
  {
    module: `${SMITHY}/client/smithy-client/schemaLogFilter.js`,
    because:
      'the logger of every client is the one that drops all; what it would be told is walked through by schema',
    code: 'export const schemaLogFilter = () => undefined;',
  },
  {
    module: `${SMITHY}/schema/schemas/NormalizedSchema.js`,
    because: 'what reads schemas is left out; whether an operation streams is told with it',
    throws: ['isStaticSchema', 'simpleSchemaCacheN', 'simpleSchemaCacheS'],
    code: `export const NormalizedSchema = { of() { throw new Error('NormalizedSchema is not in this bundle'); } };`,
  },
  ...Object.entries(CLIENTS).flatMap(([client, use]) => [
    {
      module: `${client}/dist-es/endpoint/endpointResolver.js`,
      because:
        'a function calls its own region, or the endpoint that it is told; the rules for all else weigh 10 kB',
      code: `import { partition } from '@aws-sdk/core/client';
        import { regionalEndpoints } from ${beside('regional-endpoints.ts')};
        export const defaultEndpointResolver = regionalEndpoints('${use.service}', partition);`,
    },
    {
      module: `${client}/dist-es/schemas/schemas_0.js`,
      because:
        'the protocol needs the names of operations; errors keep their names and messages, and their classes where the code asks for these',
      edit: (code: string) => operationsOnly(code, use),
    },
    {
      module: `${client}/dist-es/runtimeExtensions.js`,
      because: 'no client has extensions; the settings would be taken apart for them and put together again',
      code: 'export const resolveRuntimeExtensions = (config) => config;',
    },
    {
      module: `${client}/package.json`,
      because: 'of all that it says, the client tells its version',
      edit: (json: string) => `export default { version: ${JSON.stringify(JSON.parse(json).version)} };`,
    },
  ]),
  {
    module: 'cssfilter/lib/index.js',
    because: 'no attribute holds style: the allow-list of previews has none, and decides on every attribute',
    code: `exports.FilterCSS = class { process() { throw new Error('FilterCSS is not in this bundle'); } };
    exports.getDefaultWhiteList = () => ({});`,
  },
  {
    module: 'marked/lib/marked.esm.js',
    because:
      'of its expressions with classes of Unicode, five are for other kinds of Markdown and five for emphasis, which a text may lack; to read all took 15 % of a start',
    edit: (code) => expressionsBy('regExpOnUse', beside('regexp-on-use.ts'), code),
  },
  {
    module: 'jose/dist/webapi/lib/jwe_algorithms.js',
    because: 'nothing is encrypted: the keys of an instance sign, with ES256',
    throws: ['isJWECEKTransport', 'jweAlgorithm', 'jweEncryption'],
    code: 'export const JWE = Object.create(null);',
  },
  {
    module: '@aws-sdk/core/dist-es/submodules/client/util-endpoints/lib/aws/partitions.js',
    because: 'of a partition, the endpoint of a region has the suffix alone',
    edit: suffixesOnly,
  },
];
