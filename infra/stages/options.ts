import { Arn, ArnFormat } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { RegionInfo } from 'aws-cdk-lib/region-info';
import * as z from 'zod/mini';
import { booleanText, listText, numberText } from '#lib/input/parse';

/** Retentions that CloudWatch Logs supports, in days, except forever. */
export const RETENTION_DAYS: readonly number[] = Object.values(RetentionDays).filter(
  (days) => typeof days === 'number' && days !== RetentionDays.INFINITE,
) as number[];

/** Retention of failed work, in days: the maximum of SQS. */
export const DEAD_LETTER_DAYS = 14;

const text = (pattern: RegExp) => z.string().check(z.regex(pattern));

/** An option that may be empty, as it is by default. */
const optional = (pattern: RegExp, expects: string) => ({
  schema: text(new RegExp(`^$|${pattern.source}`)),
  standard: '',
  expects,
});

/** An option that is empty, as it is by default, or a text that the CDK understands. */
const known = (isKnown: (text: string) => boolean, expects: string) => ({
  schema: z.string().check(z.refine((text) => text === '' || isKnown(text))),
  standard: '',
  expects,
});

/** The ARN of a resource of a service, in any partition and region; without `resource`, the service has one kind. */
const arn = (expects: string, format: ArnFormat, service: string, resource?: string) =>
  known((text) => {
    try {
      const { service: of, region, account, resource: kind, resourceName = kind } = Arn.split(text, format);
      const isWhole = Boolean(region && account && resourceName) && /^\S+$/.test(text);
      return isWhole && of === service && kind === (resource ?? kind);
    } catch {
      return false;
    }
  }, expects);

const { COLON_RESOURCE_NAME, NO_RESOURCE_NAME, SLASH_RESOURCE_NAME } = ArnFormat;

const FLAG = { schema: booleanText(), standard: 'false', expects: 'true or false' } as const;

const days = (allowed: (days: number) => boolean) => numberText(/^\d{1,5}$/, z.refine(allowed));

/** Keys of tags; AWS reserves those with the prefix `aws:`. */
const TAG = /^(?!aws:)[\w .:/=+@-]{1,128}$/i;

/** @throws SyntaxError for a text that is not JSON */
const tags = () =>
  z.pipe(
    z.pipe(
      z.string(),
      z.transform((all: string) => JSON.parse(all) as unknown),
    ),
    z.record(text(TAG), z.string().check(z.maxLength(256))),
  );

/**
 * The options of a stage, each with its schema, its default and the values it accepts. The settings of its instance are in
 * addition to them; `infra/openapi/texts/options.json` describes the options.
 */
export const OPTIONS = {
  stackName: {
    // The names of functions begin with it, and have 64 characters at most.
    schema: text(/^[A-Za-z][A-Za-z0-9-]{0,37}$/),
    standard: 'core-account',
    expects: 'a letter, then up to 37 letters, digits and hyphens',
  },
  account: optional(/^\d{12}$/, 'an AWS account ID of 12 digits'),
  region: known(
    (text) => RegionInfo.regions.some(({ name }) => name === text),
    'an AWS region that the installed CDK knows, such as eu-central-1',
  ),
  tags: {
    schema: tags(),
    standard: '{}',
    expects: 'a JSON object of strings',
  },
  terminationProtection: FLAG,
  logRetentionDays: {
    schema: days((number) => RETENTION_DAYS.includes(number)),
    standard: '30',
    expects: `one of ${RETENTION_DAYS.join(', ')}`,
  },
  archiveDays: {
    schema: days((number) => number > 0),
    standard: '90',
    expects: 'a whole number of days above 0',
  },
  reservedConcurrency: FLAG,
  domainName: optional(
    /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/,
    'a DNS name in lower case',
  ),
  certificateArn: arn('the ARN of an ACM certificate', SLASH_RESOURCE_NAME, 'acm', 'certificate'),
  deployedPasskeyDomain: optional(
    /^([a-z0-9-]+\.)*[a-z0-9-]+$/,
    'the output PasskeyDomain of the deployed stack',
  ),
  alarmEmail: optional(/^[^\s@,]+@[^\s@,]+\.[^\s@,]+$/, 'one e-mail address'),
  alarmTopicArn: arn('the ARN of an SNS topic of the region', NO_RESOURCE_NAME, 'sns'),
  alarmsRequired: FLAG,
  repositoryUrl: optional(
    /^https:\/\/[^\s]+[^\s/]$/,
    'an https URL without a slash at its end, such as https://git.example.com/core-account/blob/main',
  ),
  backupDays: {
    schema: days((number) => number < 36_500),
    standard: '0',
    expects: 'a whole number of days, or 0 for none',
  },
  backupCopyVaultArn: arn('the ARN of a backup vault', COLON_RESOURCE_NAME, 'backup', 'backup-vault'),
  kmsKeyArn: arn('the ARN of a KMS key, not of an alias', SLASH_RESOURCE_NAME, 'kms', 'key'),
  subscriberAccounts: {
    schema: listText(text(/^\d{12}$/)),
    standard: '',
    expects: 'AWS account IDs of 12 digits, separated by commas',
  },
  subscriberOrganization: optional(/^o-[a-z0-9]{10,32}$/, 'the ID of an AWS organization, o-...'),
  tableName: optional(/^[A-Za-z0-9_.-]{3,80}$/, 'the name of a DynamoDB table, at most 80 characters'),
} as const satisfies Record<
  string,
  { schema: z.ZodMiniType<unknown, string>; standard: string; expects: string }
>;

export const OPTION_NAMES = Object.keys(OPTIONS) as (keyof typeof OPTIONS)[];

/** The configuration of a stage; options without a value are empty strings. */
export type Options = { readonly [K in keyof typeof OPTIONS]: z.output<(typeof OPTIONS)[K]['schema']> };
