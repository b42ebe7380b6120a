import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openApi } from '../../infra/openapi.ts';

export const MODULES = join(import.meta.dirname, 'node_modules');

/** Programs of the packages that are installed apart. */
export const TOOLS = {
  heyApi: join(MODULES, '@hey-api/openapi-ts/bin/run.js'),
  openapiTypescript: join(MODULES, 'openapi-typescript/bin/cli.js'),
  redocly: join(MODULES, '@redocly/cli/bin/cli.js'),
  spectral: join(MODULES, '@stoplight/spectral-cli/dist/index.js'),
  tsc: join(MODULES, 'typescript/bin/tsc'),
} as const;

/** Whether they are not. */
export const isMissing = !existsSync(TOOLS.redocly);

export const DOCUMENT = JSON.stringify(openApi());

const ARGUMENTS = {
  redocly: ['lint', '--extends=recommended-strict'],
  spectral: ['lint', '--fail-severity=hint', '--ruleset=ruleset.yaml'],
} as const;

export const LINTERS = ['redocly', 'spectral'] as const;

/** What a linter says of a document; undefined where it has nothing to say, be it a hint. */
export function problemsOf(linter: (typeof LINTERS)[number], document = DOCUMENT): string | undefined {
  const cwd = mkdtempSync(join(tmpdir(), 'core-account-lint-'));
  try {
    writeFileSync(join(cwd, 'openapi.json'), document);
    writeFileSync(join(cwd, 'ruleset.yaml'), 'extends: ["spectral:oas"]\n');
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [TOOLS[linter], ...ARGUMENTS[linter], 'openapi.json'],
      { cwd, encoding: 'utf8', env: { ...process.env, REDOCLY_TELEMETRY: 'off', NO_COLOR: '1' } },
    );
    return status === 0 ? undefined : `${linter} ended with ${status}\n${stdout}${stderr}`;
  } finally {
    rmSync(cwd, { recursive: true });
  }
}
