import { readFileSync } from 'node:fs';
import { SETTING_NAMES, type SettingName } from '#lib/instance/settings';

const PROPERTY = new RegExp(`[.{,](${SETTING_NAMES.join('|')})\\b`, 'g');

/**
 * The settings that the code of a bundle reads. The table of all settings names each property once in every bundle, so a
 * second one is a read: minification keeps the names of properties, and code that no handler reaches is not in its bundle.
 */
export function settingsReadIn(code: string): readonly SettingName[] {
  const named = [...code.matchAll(PROPERTY)].map(([, name]) => name);
  return SETTING_NAMES.filter((name) => named.indexOf(name) !== named.lastIndexOf(name));
}

/** The settings that a built function reads. */
export const settingsReadBy = (file: string) => settingsReadIn(readFileSync(file, 'utf8'));
