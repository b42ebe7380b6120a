import * as z from 'zod/mini';
import { booleanText, listText } from '#lib/parse';

/** What CloudWatch Logs can be told to keep logs for, in days. */
export const RETENTION_DAYS = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
];

const text = (pattern: RegExp) => z.string().check(z.regex(pattern));

/** A text that may be absent, which is the empty one. */
const optional = (pattern: RegExp) => text(new RegExp(`^$|${pattern.source}`));

const days = (allowed: (days: number) => boolean) =>
  z.pipe(
    z.pipe(text(/^\d{1,5}$/), z.transform(Number)),
    z.number().check(z.refine((number: number) => allowed(number))),
  );

/** Keys of a tag; AWS keeps those that begin with `aws:` for itself. */
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

/** One option: how its text is read, its text unless told, what it expects, and what it is for. */
interface Option {
  readonly schema: z.ZodMiniType<unknown, string>;
  readonly standard: string;
  readonly expects: string;
  readonly about: string;
}

/** Everything that a stage may configure besides the settings of its instance. */
export const OPTIONS = {
  stackName: {
    schema: text(/^[A-Za-z][A-Za-z0-9-]{0,127}$/),
    standard: 'core-account',
    expects: 'a letter, then up to 127 letters, digits and hyphens',
    about: 'name of the stack and the instance; with a stage its name is added: `core-account-prod`',
  },
  tags: {
    schema: tags(),
    standard: '{}',
    expects: 'an object of names and texts',
    about: 'tags of the stack, which CloudFormation passes on to all that can have tags',
  },
  terminationProtection: {
    schema: booleanText(),
    standard: 'false',
    expects: 'true or false',
    about: 'whether CloudFormation refuses to delete the stack',
  },
  logRetentionDays: {
    schema: days((number) => RETENTION_DAYS.includes(number)),
    standard: '30',
    expects: `one of ${RETENTION_DAYS.join(', ')}`,
    about: 'how long logs are kept, in days',
  },
  archiveDays: {
    schema: days((number) => number > 0),
    standard: '90',
    expects: 'a whole number of days above 0',
    about: 'how long subscribers can have events again',
  },
  reservedConcurrency: {
    schema: booleanText(),
    standard: 'false',
    expects: 'true or false',
    about: 'whether login and preview have execution environments of their own: see limits',
  },
  domainName: {
    schema: optional(/^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/),
    standard: '',
    expects: 'a name of the DNS in small letters',
    about: 'custom domain; the address that AWS gives is then turned off',
  },
  certificateArn: {
    schema: optional(/^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[\w-]+$/),
    standard: '',
    expects: 'the ARN of a certificate of ACM',
    about: 'its certificate, in the region of the stack',
  },
  alarmEmail: {
    schema: optional(/^[^\s@,]+@[^\s@,]+\.[^\s@,]+$/),
    standard: '',
    expects: 'one e-mail address',
    about: 'who is told of alarms',
  },
  repositoryUrl: {
    schema: optional(/^https:\/\/[^\s]+[^\s/]$/),
    standard: '',
    expects:
      'an https URL without a slash at its end, such as https://git.example.com/core-account/blob/main',
    about: 'where these files can be read: alarms link to their articles there',
  },
  kmsKeyArn: {
    schema: optional(/^arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:key\/[\w-]+$/),
    standard: '',
    expects: 'the ARN of a key of KMS, not of an alias',
    about: 'encrypts the table and the signing key; AWS’s own keys do unless told',
  },
  subscriberAccounts: {
    schema: listText(text(/^\d{12}$/)),
    standard: '',
    expects: 'AWS account ids of 12 digits, separated by commas',
    about: 'accounts that may make rules on the event bus',
  },
  subscriberOrganization: {
    schema: optional(/^o-[a-z0-9]{10,32}$/),
    standard: '',
    expects: 'the id of an AWS organization, o-...',
    about: 'organization whose accounts may all do so',
  },
  tableName: {
    schema: optional(/^[A-Za-z0-9_.-]{3,255}$/),
    standard: '',
    expects: 'a name of a DynamoDB table',
    about: 'an existing table, which is used instead of making one',
  },
} as const satisfies Record<string, Option>;

export type OptionName = keyof typeof OPTIONS;

/** The names of all options. */
export const OPTION_NAMES = Object.keys(OPTIONS) as OptionName[];

/** What a stage configures; what is not told is an empty text. */
export type Options = { readonly [K in OptionName]: z.output<(typeof OPTIONS)[K]['schema']> };
