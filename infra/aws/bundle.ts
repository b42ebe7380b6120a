import type { Code } from 'aws-cdk-lib/aws-lambda';
import type { SettingName } from '#lib/instance/settings';
import { RESOURCES_FILE } from '#lib/resource/resources';
import { ISSUERS_FILE } from '#lib/trust/issuers';

/** The code of a function, with the files of settings that it reads, and all settings that it reads. */
export interface Bundle {
  readonly code: Code;
  readonly settings: readonly SettingName[];
}

/** Settings that functions have in a file: they may be larger than the variables of a function. */
export const FILES: Readonly<Partial<Record<SettingName, string>>> = {
  Issuers: ISSUERS_FILE,
  Resources: RESOURCES_FILE,
};
