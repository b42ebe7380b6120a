import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { givenSettings } from '#lib/instance/expectations';
import { relyingPartyId } from '#lib/instance/relying-party';
import { SETTING_NAMES, type Settings, settingVariable } from '#lib/instance/settings';
import { ownResources, resourcesIn } from '#lib/resource/resources';
import { type Issuer, issuersIn } from '#lib/trust/issuers';
import { OPTION_NAMES, OPTIONS, type Options } from './options.ts';

/** Folder of the stages, with a file for each. */
const STAGES = import.meta.dirname;

export interface Configuration extends Options {
  readonly settings: Settings;
  /** The configured settings as environment variables; others keep their defaults. */
  readonly environment: Readonly<Record<string, string>>;
}

type Values = Readonly<Record<string, unknown>>;

const PREFIX = 'Settings:';
const LISTS: readonly string[] = [`${PREFIX}Issuers`, `${PREFIX}Resources`];
const KEYS: readonly string[] = [...OPTION_NAMES, ...SETTING_NAMES.map((name) => `${PREFIX}${name}`)];

/** Names of the stages that have a file, sorted. */
export const stageNames = (folder = STAGES): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => basename(name, '.json'))
    .sort();

/**
 * Reads the configuration of an instance from given values, then from the file of its stage, then from the defaults.
 *
 * @param given values by their names; `stage` names a file in the folder, with values by the same names
 * @throws Error that lists every invalid value and every unknown name
 */
export function readConfiguration(given: Values, folder = STAGES): Configuration {
  const faults: string[] = [];
  const { stage, ...direct } = given;
  const file = stage === undefined ? {} : readStage(stage, folder, faults);
  const unknown = (values: Values, place: string) => {
    const unknowns = Object.keys(values).filter((key) => !KEYS.includes(key));
    if (unknowns.length > 0)
      faults.push(
        `${place} has unknown options or settings: ${unknowns.join(', ')}; known: ${KEYS.join(', ')}`,
      );
  };
  unknown(direct, 'The context');
  unknown(file, `The stage ${stage}`);

  const stackName = [OPTIONS.stackName.standard, stage].filter((part) => part !== undefined).join('-');
  const values: Values = { stackName, ...file, ...direct };
  for (const [key, value] of Object.entries(values).filter(([key, value]) => !hasShape(key, value)))
    faults.push(`${key} expects a text, a number, true, false or a list, not ${JSON.stringify(value)}`);
  const options = readOptions(values, faults);
  const environment = Object.fromEntries(
    SETTING_NAMES.flatMap((name) => {
      const text = textOf(values[`${PREFIX}${name}`]);
      return text === undefined ? [] : [[settingVariable(name), text]];
    }),
  );
  const settings = attempt(() => givenSettings(environment), faults);
  // Without localhost, which is the own machine of a function on AWS.
  if (settings) {
    const issuers = attempt(() => issuersIn(settings.Issuers), faults);
    attempt(() => resourcesIn(settings.Resources, ownOf(settings, options)), faults);
    if (issuers) faults.push(...ownIn(issuers, settings, options));
  }
  if (settings) faults.push(...moveIn({ domainName: '', deployedPasskeyDomain: '', ...options, settings }));
  if (settings === undefined || faults.length > 0) throw new Error(faults.join('\n'));
  return { ...(options as Options), settings, environment };
}

/** The settings with the URL of the API, as far as a synth knows it. */
const known = (settings: Settings, { domainName }: Partial<Options>) =>
  settings.Issuer || settings.ApiUrl || domainName
    ? [{ ...settings, ApiUrl: settings.ApiUrl || `https://${domainName}` }]
    : [];

/** The names of the API as a resource, if a synth knows them. */
const ownOf = (settings: Settings, options: Partial<Options>) =>
  known(settings, options).flatMap(ownResources);

/** The fault of an issuer that is the own one: its tokens are for other services, and sign in nobody. */
const ownIn = (issuers: readonly Issuer[], settings: Settings, options: Partial<Options>) =>
  issuers
    .filter(({ issuer }) => ownOf(settings, options).includes(issuer))
    .map(({ name }) => `Settings:Issuers: "${name}" issuer: Must not be the own one`);

type OfDomain = Pick<Configuration, 'domainName' | 'deployedPasskeyDomain' | 'settings'>;

/** The domain of the passkeys; undefined if it is that of the gateway, which no synth knows. */
export function passkeyDomainOf({ settings, domainName }: Omit<OfDomain, 'deployedPasskeyDomain'>) {
  const ApiUrl = settings.ApiUrl || (domainName && `https://${domainName}`);
  return ApiUrl || settings.PasskeyDomain ? relyingPartyId({ ...settings, ApiUrl }) : undefined;
}

/** Hosts of gateways; what follows is the region, and the domain of its partition. */
const OF_GATEWAY = /^[a-z0-9]+\.execute-api\./;

/** The fault of a stage that moves the domain of its passkeys without saying so; none without a record of the deployed one. */
function moveIn({ deployedPasskeyDomain: deployed, ...stage }: OfDomain): readonly string[] {
  const next = passkeyDomainOf(stage);
  const isSame = next === undefined ? OF_GATEWAY.test(deployed) : next === deployed;
  return deployed === '' || isSame
    ? []
    : [
        `The domain of passkeys moves from ${deployed} (deployedPasskeyDomain) to ${next ?? 'the host of the gateway'} by Settings:PasskeyDomain, Settings:ApiUrl or domainName. All passkeys of ${deployed} stop working. Name it in Settings:PasskeyDomain to keep it, or follow infra/aws/moved-domain.md`,
      ];
}

/** What a deployer should know about a stage, and that fails no synth. */
export function warningsAbout({
  settings,
  deployedPasskeyDomain,
}: Omit<OfDomain, 'domainName'>): readonly string[] {
  return settings.SecondFactor === 'off' || deployedPasskeyDomain !== ''
    ? []
    : [
        'Synth cannot tell whether the domain of passkeys stays the deployed one: set deployedPasskeyDomain to the output PasskeyDomain of the stack',
      ];
}

function readStage(stage: unknown, folder: string, faults: string[]): Values {
  const stages = stageNames(folder);
  if (typeof stage !== 'string' || !stages.includes(stage)) {
    faults.push(`stage expects ${stages.join(' or ')}, not "${stage}"`);
    return {};
  }
  const values = attempt(() => JSON.parse(readFileSync(join(folder, `${stage}.json`), 'utf8')), faults);
  if (typeof values === 'object' && values !== null && !Array.isArray(values)) return values;
  faults.push(`The stage ${stage} expects an object of values by their names`);
  return {};
}

function readOptions(values: Values, faults: string[]): Partial<Options> {
  const entries = OPTION_NAMES.map((name) => {
    const { schema, standard, expects } = OPTIONS[name];
    const text = textOf(values[name]) ?? standard;
    return [name, attempt(() => schema.parse(text), faults, `${name} expects ${expects}, not "${text}"`)];
  });
  const options = Object.fromEntries(entries) as Partial<Options>;
  if ((options.domainName === '') !== (options.certificateArn === ''))
    faults.push('domainName and certificateArn require each other');
  if ((options.account === '') !== (options.region === ''))
    faults.push('account and region require each other');
  if (options.backupCopyVaultArn !== '' && options.backupDays === 0)
    faults.push('backupCopyVaultArn requires backupDays');
  if (options.alarmsRequired && options.alarmEmail === '' && options.alarmTopicArn === '')
    faults.push('alarmEmail or alarmTopicArn is required: alarms need a recipient');
  return options;
}

/** A value as text: files may contain numbers, booleans, lists, tags and issuers, the command line only texts. */
function textOf(value: unknown): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  return Array.isArray(value) && value.every(isSimple) ? value.join() : JSON.stringify(value);
}

const isSimple = (value: unknown) => ['undefined', 'string', 'number', 'boolean'].includes(typeof value);

const hasShape = (key: string, value: unknown) =>
  isSimple(value) ||
  (Array.isArray(value) && (LISTS.includes(key) || value.every(isSimple))) ||
  (key === 'tags' && value !== null);

function attempt<T>(work: () => T, faults: string[], fault?: string): T | undefined {
  try {
    return work();
  } catch (error) {
    faults.push(fault ?? (error as Error).message);
    return undefined;
  }
}
