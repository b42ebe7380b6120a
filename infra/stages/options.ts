import * as z from 'zod/mini';
import { booleanText, listText } from '#lib/parse';

/** Retentions that CloudWatch Logs supports, in days. */
export const RETENTION_DAYS = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
];

const text = (pattern: RegExp) => z.string().check(z.regex(pattern));

/** An option that may be empty, as it is by default. */
const optional = (pattern: RegExp, expects: string, about: string) => ({
  schema: text(new RegExp(`^$|${pattern.source}`)),
  standard: '',
  expects,
  about,
});

const flag = (about: string) => ({
  schema: booleanText(),
  standard: 'false',
  expects: 'true or false',
  about,
});

const days = (allowed: (days: number) => boolean) =>
  z.pipe(
    z.pipe(text(/^\d{1,5}$/), z.transform(Number)),
    z.number().check(z.refine((number: number) => allowed(number))),
  );

/** Keys of tags; AWS reserves those with the prefix `aws:`. */
const TAG = /^(?!aws:)[\w .:/=+@-]{1,128}$/i;

const tags = () =>
  z.pipe(
    z.pipe(
      z.string(),
      z.transform((all: string, { issues }) => {
        try {
          return JSON.parse(all) as unknown;
        } catch {
          issues.push({ code: 'custom', input: all });
          return undefined;
        }
      }),
    ),
    z.record(text(TAG), z.string().check(z.maxLength(256))),
  );

/** One option: its schema, its default, the values it accepts, and its description. */
interface Option {
  readonly schema: z.ZodMiniType<unknown, string>;
  readonly standard: string;
  readonly expects: string;
  readonly about: string;
}

/** The options of a stage; the settings of its instance are in addition to them. */
export const OPTIONS = {
  stackName: {
    // The names of functions begin with it, and have 64 characters at most.
    schema: text(/^[A-Za-z][A-Za-z0-9-]{0,37}$/),
    standard: 'core-account',
    expects: 'a letter, then up to 37 letters, digits and hyphens',
    about: 'Name of the stack and the instance. The name of the stage is appended: `core-account-prod`.',
  },
  account: optional(
    /^\d{12}$/,
    'an AWS account ID of 12 digits',
    'The only account that the stage may be deployed to. Requires `region`.',
  ),
  region: optional(
    /^[a-z]{2}(-[a-z]+)+-\d$/,
    'an AWS region, such as eu-central-1',
    'The only region that the stage may be deployed to. Requires `account`.',
  ),
  tags: {
    schema: tags(),
    standard: '{}',
    expects: 'a JSON object of strings',
    about: 'Tags of the stack. CloudFormation passes them on to its resources.',
  },
  terminationProtection: flag('Whether CloudFormation refuses to delete the stack.'),
  logRetentionDays: {
    schema: days((number) => RETENTION_DAYS.includes(number)),
    standard: '30',
    expects: `one of ${RETENTION_DAYS.join(', ')}`,
    about: 'Retention of logs, in days.',
  },
  archiveDays: {
    schema: days((number) => number > 0),
    standard: '90',
    expects: 'a whole number of days above 0',
    about: 'Retention of the event archive, in days.',
  },
  reservedConcurrency: flag('Whether login and preview have reserved concurrency.'),
  domainName: optional(
    /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/,
    'a DNS name in lower case',
    'Custom domain. It disables the default address of the API.',
  ),
  certificateArn: optional(
    /^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[\w-]+$/,
    'the ARN of an ACM certificate',
    'Certificate of the custom domain, in the region of the stack.',
  ),
  alarmEmail: optional(
    /^[^\s@,]+@[^\s@,]+\.[^\s@,]+$/,
    'one e-mail address',
    'Recipient of tickets, and of pages unless they go to `alarmTopicArn`.',
  ),
  alarmTopicArn: optional(
    /^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w-]+$/,
    'the ARN of an SNS topic of the region',
    'Topic of an on-call service for pages, instead of one of the stack. CloudWatch must be allowed to publish to it. Without `alarmEmail`, subscribe somebody to `TicketTopicArn`.',
  ),
  alarmsRequired: flag('Whether synth fails without `alarmEmail` or `alarmTopicArn`.'),
  repositoryUrl: optional(
    /^https:\/\/[^\s]+[^\s/]$/,
    'an https URL without a slash at its end, such as https://git.example.com/core-account/blob/main',
    'Base URL of these files. Alarms link to their articles there.',
  ),
  backupDays: {
    schema: days((number) => number < 36_500),
    standard: '0',
    expects: 'a whole number of days, or 0 for none',
    about: 'Retention of daily backups of the table by AWS Backup, in days; 0 for no backups.',
  },
  backupCopyVaultArn: optional(
    /^arn:aws[a-z-]*:backup:[a-z0-9-]+:\d{12}:backup-vault:[\w-]+$/,
    'the ARN of a backup vault',
    'Vault of another account or region for a copy of each backup. Requires `backupDays`.',
  ),
  kmsKeyArn: optional(
    /^arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:key\/[\w-]+$/,
    'the ARN of a KMS key, not of an alias',
    'Encryption key of all that is stored: table, signing key, logs, queues, topics, bus, archive, backups. By default keys of AWS.',
  ),
  subscriberAccounts: {
    schema: listText(text(/^\d{12}$/)),
    standard: '',
    expects: 'AWS account IDs of 12 digits, separated by commas',
    about: 'Accounts that may create rules on the event bus.',
  },
  subscriberOrganization: optional(
    /^o-[a-z0-9]{10,32}$/,
    'the ID of an AWS organization, o-...',
    'Organization whose accounts may all create rules on the event bus.',
  ),
  tableName: optional(
    /^[A-Za-z0-9_.-]{3,255}$/,
    'the name of a DynamoDB table',
    'Existing table to use instead of a new one.',
  ),
} as const satisfies Record<string, Option>;

export type OptionName = keyof typeof OPTIONS;

export const OPTION_NAMES = Object.keys(OPTIONS) as OptionName[];

/** The configuration of a stage; options without a value are empty strings. */
export type Options = { readonly [K in OptionName]: z.output<(typeof OPTIONS)[K]['schema']> };
