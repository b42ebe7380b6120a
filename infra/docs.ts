import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Access, GATEWAY_THROTTLE } from '#lib/contract/contract';
import { type KeptKind, KINDS, RULES, type Rule } from '#lib/erasure/kept';
import { ALL_EVENTS } from '#lib/event/events';
import { SUBJECT_FIELDS, type SubjectName } from '#lib/event/subjects';
import { CAUSES } from '#lib/failure/cause';
import { FAILURES } from '#lib/failure/codes';
import { EXPECTATIONS } from '#lib/instance/expectations';
import { ALWAYS, SETTING_NAMES, SETTINGS } from '#lib/instance/settings';
import { PER_PAIR } from '#lib/login/attempts';
import { contracts, functions } from '#lib/routes';
import { CHART } from '#lib/table/chart';
import { inputsTable, permissionsTable, writersTable } from './admin/needs.ts';
import { settingsReadBy } from './bundle/settings.ts';
import { bundle, bundleFile } from './bundle.ts';
import { CAUSE_TEXTS } from './causes.ts';
import { operationsModule } from './client/operations.ts';
import { commandCosts, monthCosts, requestCosts, worstCosts } from './cost/cost.ts';
import { breakages } from './events/breakages.ts';
import { type JsonSchema, schemaFiles, schemaOf } from './events/schemas.ts';
import {
  commandsTable,
  EVIDENCE_FIGURES,
  grantsTable,
  partsTable,
  resourcesTable,
  runText,
  triggersTable,
} from './evidence.ts';
import { awsTable, checksTable } from './first-deployment/tables.ts';
import { functionsTable } from './functions.ts';
import { FIGURES, withFigures } from './openapi/texts/figures.ts';
import optionTexts from './openapi/texts/options.json' with { type: 'json' };
import settingTexts from './openapi/texts/settings.json' with { type: 'json' };
import { DIFFERENCES, holdersOfPowers, holdersOfRevivals } from './powers.ts';
import { principalsTable } from './principals.ts';
import { reachTable } from './reach.ts';
import { MACHINES_PAGE, remediesTable, SERVICES_PAGE } from './remedies.ts';
import { DEAD_LETTER_DAYS, OPTION_NAMES, OPTIONS } from './stages/options.ts';
import { stepUpTable } from './step-up.ts';
import { noticedTable, STOLEN_PAGE, stolenSections } from './stolen.ts';

const ROOT = join(import.meta.dirname, '..');

type Table = readonly [head: readonly string[], rows: readonly (readonly string[])[]];

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
export const textOf = ([head, rows]: Table) =>
  [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');

function who(access: Access): string {
  if (access === 'public') return 'anyone';
  if (access === 'authenticated') return 'any account';
  if (access === 'optional') return 'anyone; more for an account';
  if (access === 'authenticated-or-code') return 'own, or with a one-time code';
  return access.orSelf ? `own, or \`${access.role}\`` : `\`${access.role}\``;
}

/** A key, with hashes replaced by `<sha256>`. */
const keyPart = (text: string) => `\`${text.replace(/[0-9a-f]{64}/, '<sha256>')}\``;

const choice = (
  name: string,
  { standard, expects }: { standard: string; expects: string },
  about: string,
) => [`\`${name}\``, standard === '' ? 'none' : `\`${standard}\``, expects, about];

const SUBJECT_NAMES = Object.keys(SUBJECT_FIELDS) as SubjectName[];

/** Every field of the events: its name, its description and its events. */
function fieldsOfEvents(): string[][] {
  const all = ALL_EVENTS.flatMap((event) =>
    Object.entries(schemaOf(event).properties ?? {}).map(([name, { description = '' }]) => {
      return { name, description, type: `\`${event.type}\`` };
    }),
  );
  const same = Map.groupBy(all, ({ name, description }) => `${name} ${description}`);
  return [...same.values()].map((its) => {
    const [{ name, description } = { name: '', description: '' }] = its;
    const subject = SUBJECT_NAMES.find((one) => name in SUBJECT_FIELDS[one]());
    const about = subject ? `all about ${subject}s` : its.map(({ type }) => type).join(', ');
    return [`\`${name}\``, description, its.length === ALL_EVENTS.length ? 'all' : about];
  });
}

/** What another program prints as JSON: CDK takes longer to load than all the rest, and nothing here imports tests. */
const printedBy = (path: string, ...args: readonly string[]): unknown =>
  JSON.parse(`${execFileSync(process.execPath, [join(ROOT, path), ...args], { maxBuffer: 2 ** 24 })}`);

type Policies = Parameters<typeof holdersOfPowers>[0];

const holdersText = (ids: readonly string[]) =>
  ids.map((id) => (id.includes(' ') ? id : `\`${id}\``)).join(', ');

/** What a former value that is written back revives, and who may write it. */
export const revivalsTable = (policies: Policies): Table => [
  ['Former value of', 'Revives, for those who have it', 'Functions and operators that may write it'],
  holdersOfRevivals(policies).map(({ attribute, revives, holders }) => [
    `\`${attribute}\``,
    revives,
    holdersText(holders),
  ]),
];

/** The functions and operators that have each power, under both readings of transactions. */
export function powersTable(policies: Policies): Table {
  const whole = new Map(holdersOfPowers(policies, 'whole'));
  const rows = holdersOfPowers(policies).map(([power, ids]) => {
    const others = Object.keys(policies).filter((id) => !ids.includes(id));
    const more = (whole.get(power) ?? []).filter((id) => !ids.includes(id));
    return [
      power,
      ids.length > others.length ? `all except ${holdersText(others)}` : holdersText(ids) || 'none',
      more.length > 0 ? `${holdersText(more)}: ${DIFFERENCES[power]}` : '',
    ];
  });
  return [['A stolen role may', 'Functions', 'Also, if AWS judges whole transactions'], rows];
}

const STANDARD = {
  logs: Number(OPTIONS.logRetentionDays.standard),
  archive: Number(OPTIONS.archiveDays.standard),
  backups: Number(OPTIONS.backupDays.standard),
  deadLetters: DEAD_LETTER_DAYS,
  AuditDays: SETTINGS.AuditDays.value,
  SecurityStampCacheSeconds: SETTINGS.SecurityStampCacheSeconds.value,
};

/** How long something stays after an erasure, by default. */
function lasting(kind: KeptKind): string {
  const { lasts, by }: Rule = RULES[kind];
  const time = lasts(STANDARD);
  const text = typeof time === 'number' && time > 0 ? `${time} days` : time || 'nothing';
  return by === undefined ? `${text}` : `\`${by}\`: ${text} by default`;
}

/** The generated parts of pages, by the name of their markers. */
export const PARTS: Readonly<Record<string, () => Table | string>> = {
  audit: () => [
    ['Action', 'Target', 'Details'],
    contracts.flatMap(({ id, audit }) =>
      audit
        ? [[`\`${id}\``, audit.target, (audit.details ?? []).map((name) => `\`${name}\``).join(', ')]]
        : [],
    ),
  ],
  areas: () => [
    ['Area', 'Operations'],
    [...Map.groupBy(contracts, ({ id }) => id.split('.')[0])].map(([noun, all]) => [
      `\`${noun}\``,
      all.map(({ id }) => id.split('.')[1]).join(', '),
    ]),
  ],
  endpoints: () => [
    ['Method', 'Path', 'Who', 'What'],
    contracts.map(({ method, path, access, summary }) => {
      const methods = [method].flat().join(' ');
      return [methods, `\`${path}\``, who(access), summary];
    }),
  ],
  functions: functionsTable,
  failures: () => [
    ['Status', '`data.code`', 'Text'],
    Object.entries(FAILURES).map(([code, { status, text }]) => [`${status}`, `\`${code}\``, text]),
  ],
  causes: () => [
    ['`cause`', 'Meaning', 'Remedy'],
    CAUSES.map((cause) => [`\`${cause}\``, CAUSE_TEXTS[cause].meaning, CAUSE_TEXTS[cause].remedy]),
  ],
  settings: () => {
    const reads = functions.flatMap(({ id }) => settingsReadBy(bundleFile(id)));
    return [
      ['Setting', 'Default', 'Expects', 'Purpose', 'Functions'],
      SETTING_NAMES.map((name) => {
        const readers = reads.filter((read) => read === name).length;
        return [
          ...choice(
            `Settings:${name}`,
            { standard: `${SETTINGS[name].value}`, expects: EXPECTATIONS[name] },
            settingTexts[name],
          ),
          `${readers}`,
        ];
      }),
    ];
  },
  options: () => [
    ['Option', 'Default', 'Expects', 'Purpose'],
    OPTION_NAMES.map((name) => choice(name, OPTIONS[name], optionTexts[name])),
  ],
  items: () => [
    ['Item', 'PK', 'SK', 'Index'],
    CHART.map(([item, { PK, SK }, index = '']) => [item, keyPart(PK), keyPart(SK), index]),
  ],
  events: () => [
    ['`detail-type`', 'When', 'Published', 'Fields of its own'],
    ALL_EVENTS.map(({ type, summary, own }) => {
      const published = ALWAYS.includes(type) ? 'always' : 'if `Settings:Events` names it';
      const fields = Object.keys(own()).map((name) => `\`${name}\``);
      return [`\`${type}\``, summary, published, fields.join(', ')];
    }),
  ],
  kept: () => [
    ['Where', 'What', 'How long', 'Why'],
    KINDS.map((kind) => {
      const { where, what, why } = RULES[kind];
      return [where, what, lasting(kind), why];
    }),
  ],
  'event-fields': () => [['Field of `detail`', 'Meaning', 'In'], fieldsOfEvents()],
  permissions: permissionsTable,
  inputs: inputsTable,
  writers: writersTable,
  principals: principalsTable,
  'step-up': stepUpTable,
  throttles: () => [
    ['What', 'Requests a second', 'At once'],
    [
      ...contracts.map(({ id, throttle }) => [`\`${id}\``, throttle] as const),
      ['all others together', GATEWAY_THROTTLE] as const,
    ].flatMap(([name, throttle]) => (throttle ? [[name, `${throttle.rate}`, `${throttle.burst}`]] : [])),
  ],
  remedies: remediesTable,
  'stolen-things': () => noticedTable(STOLEN_PAGE),
  'stolen-things-of-machines': () => noticedTable(MACHINES_PAGE),
  'stolen-things-of-services': () => noticedTable(SERVICES_PAGE),
  'stolen-sections': stolenSections,
  reach: reachTable,
  powers: () => powersTable(printedBy('infra/aws/policies.ts', 'limited') as Policies),
  revivals: () => revivalsTable(printedBy('infra/aws/policies.ts', 'limited') as Policies),
  'rate-limit': () => {
    const { name, max, windowMs } = PER_PAIR;
    const policy = `RateLimit-Policy: "${name}";q=${max};w=${windowMs / 1000}`;
    return ['```', policy, `RateLimit: "${name}";r=0;t=120`, 'Retry-After: 120', '```'].join('\n');
  },
  'command-costs': commandCosts,
  'request-costs': requestCosts,
  'month-costs': monthCosts,
  'worst-costs': worstCosts,
  'alarm-volumes': () => printedBy('infra/aws/monitoring/volumes-table.ts') as Table,
  'stack-differences': () => printedBy('test/stack/print-differences.ts') as Table,
  'evidence-run': runText,
  'evidence-aws': awsTable,
  'first-deployment-checks': checksTable,
  'evidence-parts': partsTable,
  'evidence-resources': resourcesTable,
  'evidence-triggers': triggersTable,
  'evidence-grants': grantsTable,
  'evidence-commands': commandsTable,
};

/** The pages. */
export const PAGES = globSync('{README.md,CHANGELOG.md,.github/*.md,{functions,lib,infra,test}/**/*.md}', {
  cwd: ROOT,
  exclude: ['**/node_modules/**'],
});

const NUMBERS: Readonly<Record<string, string>> = { ...FIGURES, ...EVIDENCE_FIGURES };

/** Replaces numbers within a line, between markers with their names: `<!-- name -->5 minutes<!-- / -->`. */
const withNumbers = (text: string): string =>
  text.replace(/<!-- ([\w-]+) -->.*?<!-- \/ -->/g, (_, name: string) => {
    const number = NUMBERS[name];
    if (number === undefined) throw new Error(`infra/docs.ts has no number ${name}`);
    return `<!-- ${name} -->${number}<!-- / -->`;
  });

/**
 * Replaces the generated parts and numbers of a page between their markers.
 *
 * @param kept name of a part that stays as it is
 * @throws Error if a part or a number is unknown
 */
export const withGeneratedParts = (text: string, kept?: string): string =>
  withNumbers(text).replace(
    /(<!-- ([\w-]+) -->\n)[\s\S]*?(<!-- \/\2 -->)/g,
    (before, start: string, name: string, end: string) => {
      if (name === kept) return before;
      const part = PARTS[name]?.();
      if (part === undefined) throw new Error(`infra/docs.ts has no part ${name}`);
      return `${start}\n${withFigures(typeof part === 'string' ? part : textOf(part))}\n\n${end}`;
    },
  );

/** Folder of the published schemas of events. */
export const SCHEMAS = join(ROOT, 'lib/event/schemas');

/** @throws Error if an event has changed in a way that breaks subscribers, but keeps its version */
async function writeSchemas(): Promise<void> {
  for (const [name, schema] of schemaFiles()) {
    const path = join(SCHEMAS, name);
    const published = await readFile(path, 'utf8').catch(() => undefined);
    const broken = published ? breakages(JSON.parse(published) as JsonSchema, schema) : [];
    if (broken.length > 0) throw new Error(`${name} needs a new version:\n${broken.join('\n')}`);
    await writeFile(path, asText(schema));
  }
}

/** A schema as text, formatted as the check of the sources requires. */
export const asText = (schema: JsonSchema) => `${JSON.stringify(schema, null, 2)}\n`;

if (import.meta.main) {
  await bundle();
  await writeSchemas();
  await writeFile(join(ROOT, 'lib/client/operations.ts'), operationsModule());
  for (const path of PAGES.map((page) => join(ROOT, page))) {
    const before = await readFile(path, 'utf8');
    const after = withGeneratedParts(before);
    if (after !== before) await writeFile(path, after);
  }
}
