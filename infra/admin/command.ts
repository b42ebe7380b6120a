import type { Option, Command as Parser } from 'commander';
import type { Inputs } from './inputs.ts';
import type { Group, OperatorNeed } from './operator-needs.ts';
import type { Recorded } from './recording.ts';
import type { Target } from './target.ts';

export interface Permission {
  readonly group: Group;
  /** Besides the needs of every command (`needs.ts`). */
  readonly needs: readonly (OperatorNeed | readonly OperatorNeed[])[];
  /** Needs of administrators only: without them the command does less, and says so. */
  readonly spare?: readonly OperatorNeed[];
}

/** Work on an instance. The arguments of a call follow its target, then the options. */
export type Work =
  | {
      /** The audit log has the start and the outcome, with the account, token, team or key that the arguments name. */
      readonly audited: true;
      readonly run: (target: Recorded, ...call: never[]) => unknown;
    }
  | { readonly audited: false; readonly run: (target: Target, ...call: never[]) => unknown };

interface Form {
  /** Words and arguments, such as `account lock <username>`. */
  readonly name: string;
  readonly description: string;
  readonly options?: readonly Option[];
  /** The fault of a call, which is refused before the command does anything; the exit status is 2. */
  readonly faultOf?: (options: never, args: readonly string[]) => string | undefined;
  /** Further settings of the parser. */
  readonly configure?: (parser: Parser) => Parser;
}

/** A command that works on an instance. */
export type InstanceCommand = Form &
  Permission &
  Work & {
    /** Inputs that others may write, each with the worst effect of a forged one. */
    readonly inputs: Inputs;
    /** Other work, for calls with the option of this name; by default with the permission of the command. */
    readonly variants?: Readonly<Record<string, Work & Partial<Permission>>>;
  };

/** A command that needs no instance. Its options include those of the program. */
export interface LocalCommand extends Form {
  readonly local: true;
  readonly audited?: undefined;
  readonly run: (...call: never[]) => unknown;
}

/**
 * An operator command: what a call looks like, needs, records and does. The stack loads all of them for its policies, so `run`
 * imports large work itself.
 */
export type Command = InstanceCommand | LocalCommand;

/** The words of a command, such as `account lock`. */
export const wordsOf = ({ name }: Pick<Command, 'name'>): string => name.replace(/ [<[].*/, '');
