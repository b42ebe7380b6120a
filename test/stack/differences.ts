import { ACCOUNT, REGION } from './emulator.ts';

/** A resource of a template. */
export interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly DependsOn?: string | readonly string[];
}

/** Resources that the emulator refuses, and that its stacks are deployed without. */
export interface LeftOut {
  readonly what: string;
  readonly leaves: (resource: Resource) => boolean;
  /** Text of the emulator when it is given one. */
  readonly refusal: RegExp;
  readonly reason: string;
  /** The ARN that it would have, for what refers to it. */
  readonly arn?: (logicalId: string) => string;
}

const UNKNOWN = 'The emulator does not know the type.';

const ofType = (type: string, reason = UNKNOWN): LeftOut => ({
  what: `\`${type}\``,
  leaves: ({ Type }) => Type === type,
  refusal: new RegExp(`Unrecognized resource types: \\[${type}\\]`),
  reason,
});

export const LEFT_OUT: readonly LeftOut[] = [
  ofType('AWS::CloudWatch::CompositeAlarm'),
  ofType('AWS::EventSchemas::Registry'),
  ofType('AWS::EventSchemas::Schema'),
  {
    ...ofType('AWS::Events::Archive', `${UNKNOWN} A test creates the archive through its API.`),
    arn: (logicalId) => `arn:aws:events:${REGION}:${ACCOUNT}:archive/${logicalId}`,
  },
  ofType('AWS::Logs::Delivery'),
  ofType('AWS::Logs::DeliveryDestination'),
  ofType('AWS::Logs::DeliverySource'),
  ofType('AWS::SecretsManager::RotationSchedule'),
  {
    what: '`AWS::CloudWatch::Alarm` with `Metrics`',
    leaves: ({ Type, Properties }) =>
      Type === 'AWS::CloudWatch::Alarm' && Properties?.['Metrics'] !== undefined,
    refusal: /Properties\.Metrics \(metric math\) is not supported/,
    reason: 'The emulator has no metric math.',
  },
];

/** What is changed or done for the emulator, by a name that the tests refer to. */
export const PATCHED = {
  secret: {
    what: '`Ref` of a secret',
    reason:
      'It is the name of the secret there, and its ARN in AWS. `Fn::GetAtt` of `Id` is the ARN in both.',
  },
  conditions: {
    what: 'Conditions with keys of DynamoDB',
    reason:
      'The emulator does not derive `dynamodb:LeadingKeys` and `dynamodb:EnclosingOperation` from a request, so that such statements grant nothing. Each role has a second policy without these conditions; `infra/policy.ts` evaluates the first.',
  },
  logs: {
    what: 'Resources of `logs:CreateLogStream` and `logs:PutLogEvents`',
    reason:
      'The emulator authorizes both for `log-group:<name>`. In AWS they are `log-group:<name>:*` and the stream. The second policy permits all.',
  },
  filters: {
    what: 'Patterns of subscription filters',
    reason: 'The emulator compares words only: words that the lines have in common replace each pattern.',
  },
  sdk: {
    what: 'The AWS SDK of the runtime, by `NODE_PATH`',
    reason: 'The emulator runs functions with Node.js alone. The example subscriber bundles no SDK.',
  },
  handler: {
    what: 'A copy of `index.cjs` as `index.js`',
    reason: 'The emulator finds no handler in `index.cjs`.',
  },
  streams: {
    what: 'A handler in front of `audit.collect`, which names the function of a log stream',
    reason:
      'The emulator does not name the function in the streams of a shared log group, as Lambda does, so that the collector would take no line.',
  },
  rotation: {
    what: 'The four steps of a rotation, by the test',
    reason: '`RotateSecret` copies the value there and invokes no function.',
  },
} as const;

/** Words instead of the patterns of subscription filters. */
export const WORDS: Readonly<Record<string, string>> = {
  '{ $.level = "audit" }': 'level audit outcome changed details',
  '{ $.action = "admin *" }': 'action admin outcome',
};

/** Checks of `doctor` that report what the emulator leaves out, and whether `restore check --mend` adds it. */
export const UNREPORTED: Readonly<Record<string, { readonly isMended: boolean; readonly reason: string }>> = {
  index_GSI1: { isMended: false, reason: 'DescribeTable has no status of an index.' },
  index_GSI2: { isMended: false, reason: 'DescribeTable has no status of an index.' },
  time_to_live: { isMended: true, reason: 'Its GlobalTable ignores the property.' },
  point_in_time_recovery: { isMended: true, reason: 'Its GlobalTable ignores the property.' },
  deletion_protection: { isMended: true, reason: 'Its GlobalTable ignores the property.' },
};

/** Tests of the integration suite that fail there, by a part of their titles. */
export const FAILING = [
  {
    // Options for a passkey need no credential, and see none in a cookie.
    title: / cookie|browser sends no session|passkey\/options refuses a request/,
    reason: 'Events of its gateway lack `cookies` (payload 2.0).',
  },
] as const;

/** Checks of the first deployment that it cannot show. */
export const UNSHOWN: Readonly<Record<string, string>> = {
  doctor: 'It reports no status of an index. `service.test.ts` runs the command.',
  service: '`service.test.ts` runs it: events of the gateway lack `cookies`.',
  'log-streams': 'Streams of a shared log group do not name the function.',
  rotation: '`RotateSecret` invokes no function.',
  'resource-rotation': '`RotateSecret` invokes no function.',
  'transactions-each': 'It knows no key of a condition of DynamoDB.',
  'transactions-whole': 'It knows no key of a condition of DynamoDB.',
  'nested-path': 'It knows no key of a condition of DynamoDB.',
  'web-identity':
    'Its tokens name the root of the account, and their signature is HS256, so that no trust accepts them. `test/integration/authorizer-identity` runs the authorizer with an issuer of the test.',
  alarms: 'It has no composite alarm and no history of actions.',
  'rollback-triggers': 'It takes no update that changes rollback triggers only.',
  probe: 'It evaluates no alarm.',
  replay: 'It has no archive of the template. `events.test.ts` creates and replays one.',
};
