import { wordsOf } from './command.ts';
import { COMMANDS } from './commands.ts';
import { INPUTS, type InputName } from './inputs.ts';
import { type Group, isOperatorAction, OPERATOR_ACTIONS, type OperatorNeed } from './operator-needs.ts';

/** A command that works on a stack, or a variant of it: what the policy of its group allows. */
export interface Permitted {
  /** Such as `account sessions --end`. */
  readonly command: string;
  readonly group: Group;
  readonly audited: boolean;
  readonly needs: ReadonlySet<OperatorNeed>;
  /** Needs that only administrators have. */
  readonly spare: readonly OperatorNeed[];
}

/** Needs of every command, and of every command that is audited. */
const COMMON: readonly OperatorNeed[] = ['stack:outputs', 'audit:open', 'audit-lines:write'];

/** Every command that works on a stack, and every variant that has needs of its own. */
export const PERMITTED: readonly Permitted[] = COMMANDS.flatMap((command) => {
  if ('local' in command) return [];
  const variants = Object.entries(command.variants ?? {}).map(([name, variant]) => {
    const option = command.options?.find((one) => one.attributeName() === name);
    return { ...variant, words: `${wordsOf(command)} ${option?.long}` };
  });
  return [{ ...command, words: wordsOf(command) }, ...variants].flatMap(
    ({ words, group = command.group, audited, needs, spare = [] }) => {
      const common = audited ? COMMON : COMMON.slice(0, 1);
      return needs
        ? [{ command: words, group, audited, needs: new Set([...common, ...needs.flat()]), spare }]
        : [];
    },
  );
});

/** The needs of all commands of a group. */
export const needsOfGroup = (group: Group): readonly OperatorNeed[] => {
  const own = PERMITTED.filter((one) => group === 'administrator' || one.group === group);
  const spare = group === 'administrator' ? own.flatMap((one) => one.spare) : [];
  return [...new Set([...own.flatMap(({ needs }) => [...needs]), ...spare])];
};

/** Actions of a need, with the kind of item. */
function actionsOf(need: OperatorNeed): readonly string[] {
  if (isOperatorAction(need)) return OPERATOR_ACTIONS[need];
  const [place, action, kind] = need.split(':');
  if (place === 'index') return [`Query ${kind}`];
  return kind === undefined ? [need] : [`${action} ${kind}`];
}

/** The table of commands: head and rows. */
export function permissionsTable() {
  const rows = PERMITTED.map(({ command, group, needs, spare }) => {
    const actions = new Set([...needs].filter((need) => !COMMON.includes(need)).flatMap(actionsOf));
    return [
      `\`${command}\``,
      group === 'support' ? 'yes' : 'no',
      `${[...actions].sort().join(', ')}${spare.length > 0 ? `; administrators also ${spare.join(', ')}` : ''}`,
    ];
  });
  return [['Command', 'Support', 'Actions'], rows] as const;
}

/** The table of what commands act on that others may write: head and rows. */
export function inputsTable() {
  const rows = COMMANDS.flatMap((command) =>
    'local' in command
      ? []
      : Object.entries(command.inputs).map(([name, worst]) => [
          `\`${wordsOf(command)}\``,
          INPUTS[name as InputName].what,
          worst,
        ]),
  );
  return [['Command', 'Acts on', 'The worst that a value of somebody else makes happen'], rows] as const;
}

/** The table of who may write them. */
export function writersTable() {
  const rows = Object.values(INPUTS).map(({ what, writers }) => [what, writers]);
  return [['Input', 'Who may write it'], rows] as const;
}
