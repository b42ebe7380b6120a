import type { Node } from 'constructs';
import {
  readSettings,
  rejectUnknownSettings,
  SETTING_NAMES,
  type Settings,
  settingVariable,
} from '#lib/settings';

/** What the CDK context tells of a stack. */
export interface StackContext {
  /** The name of its stack, `core-account` unless told, and the `iss` and `aud` of its session tokens. */
  readonly name: string;
  readonly settings: Settings;
  /** The settings that the context names, as environment variables of a function; the others keep their defaults. */
  readonly environment: Readonly<Record<string, string>>;
}

const PREFIX = 'Settings:';

/**
 * Reads the context values `stackName` and `Settings:*`.
 *
 * @throws Error that names a value that is invalid, or a setting that does not exist
 */
export function readContext(node: Node): StackContext {
  const name: unknown = node.tryGetContext('stackName') ?? 'core-account';
  if (typeof name !== 'string' || !/^[A-Za-z][A-Za-z0-9-]{0,127}$/.test(name))
    throw new Error(`stackName expects a letter, then up to 127 letters, digits and hyphens, not "${name}"`);
  rejectUnknownSettings(PREFIX, Object.keys(node.getAllContext() as Record<string, unknown>));

  const text = (setting: keyof Settings) => textOf(node.tryGetContext(`${PREFIX}${setting}`));
  const settings = readSettings(text);
  const environment = Object.fromEntries(
    SETTING_NAMES.flatMap((setting) => {
      const given = text(setting);
      return given === undefined ? [] : [[settingVariable(setting), given]];
    }),
  );
  return { name, settings, environment };
}

/** cdk.json may hold a number, a boolean or a list where the command line can only give a text. */
function textOf(value: unknown): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  return Array.isArray(value) ? value.join() : JSON.stringify(value);
}
