import type { Command } from 'commander';
import { invalid } from '#lib/failure';

const collect = (value: string, before: string[] = []) => [...before, value];

/** Options that may be given several times. */
export interface MembershipOptions {
  readonly app?: string[];
  readonly role?: string[];
  readonly team?: string[];
}

/** `--app`, `--role` and `--team`, each as often as wanted. */
export const withMemberships = (command: Command) =>
  command
    .option('--app <name>', 'an application; may be repeated', collect)
    .option('--role <name>', 'a role; may be repeated', collect)
    .option('--team <short>', 'a team, by its short name; may be repeated', collect);

/** The memberships that the options name. */
export const membershipsOf = ({ app = [], role = [], team = [] }: MembershipOptions) => ({
  apps: app,
  roles: role,
  teams: team,
});

/**
 * Reads a password from standard input, without one final newline.
 *
 * @throws Failure `invalid_request` where it is not UTF-8
 */
export async function passwordFromStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks));
    return text.replace(/\r?\n$/, '');
  } catch {
    throw invalid('password', 'Must be UTF-8');
  }
}
