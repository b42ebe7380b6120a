import * as z from 'zod/mini';
import { booleanText, listText, numberText } from '#lib/input/parse';

/** Retentions that CloudWatch Logs supports, in days. */
export const RETENTION_DAYS = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
];

/** Retention of failed work, in days: the maximum of SQS. */
export const DEAD_LETTER_DAYS = 14;

const text = (pattern: RegExp) => z.string().check(z.regex(pattern));

/** An option that may be empty, as it is by default. */
const optional = (pattern: RegExp, expects: string) => ({
  schema: text(new RegExp(`^$|${pattern.source}`)),
  standard: '',
  expects,
});

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
  region: optional(/^[a-z]{2}(-[a-z]+)+-\d$/, 'an AWS region, such as eu-central-1'),
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
  certificateArn: optional(
    /^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[\w-]+$/,
    'the ARN of an ACM certificate',
  ),
  deployedPasskeyDomain: optional(
    /^([a-z0-9-]+\.)*[a-z0-9-]+$/,
    'the output PasskeyDomain of the deployed stack',
  ),
  alarmEmail: optional(/^[^\s@,]+@[^\s@,]+\.[^\s@,]+$/, 'one e-mail address'),
  alarmTopicArn: optional(
    /^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w-]+$/,
    'the ARN of an SNS topic of the region',
  ),
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
  backupCopyVaultArn: optional(
    /^arn:aws[a-z-]*:backup:[a-z0-9-]+:\d{12}:backup-vault:[\w-]+$/,
    'the ARN of a backup vault',
  ),
  kmsKeyArn: optional(
    /^arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:key\/[\w-]+$/,
    'the ARN of a KMS key, not of an alias',
  ),
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
