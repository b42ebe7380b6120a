import { type Command, wordsOf } from '#infra/admin/command';
import { COMMANDS } from '#infra/admin/commands';
import type { Name } from './people.ts';
import { existingIn, type State, type Step, type World } from './world.ts';

/** Values of the arguments of commands. A command with another argument is not run. */
const ARGUMENTS: Readonly<Record<string, (existing: readonly Name[]) => readonly string[]>> = {
  username: (existing) => existing,
  name: () => ['laptop', 'x'],
  passkey: () => ['phone', 'x'],
};

const product = (lists: readonly (readonly string[])[]) =>
  lists.reduce<string[][]>((all, list) => all.flatMap((one) => list.map((each) => [...one, each])), [[]]);

/** Changing commands of support with arguments, and each of their switches. */
const CHANGING = COMMANDS.filter(
  (command): command is Extract<Command, { group: string }> =>
    !('local' in command) && command.group === 'support' && command.audited,
);

/** The operator commands that somebody with the policy of support may run. */
export function* commandsFrom(world: World, state: State): Generator<Step> {
  const existing = existingIn(state);
  for (const command of CHANGING) {
    const names = [...command.name.matchAll(/<(\w+)>/g)].map(([, name = '']) => name);
    if (names.some((name) => !(name in ARGUMENTS))) continue;
    const switches = (command.options ?? [])
      .filter((option) => !option.required && !option.optional)
      .map(({ long }) => long ?? '');
    const yes = switches.filter((name) => name === '--yes');
    const variants = [[], ...switches.filter((name) => name !== '--yes').map((name) => [name])];
    for (const values of product(names.map((name) => ARGUMENTS[name]?.(existing) ?? [])))
      for (const variant of variants) {
        const words = [...wordsOf(command).split(' '), ...values, ...yes, ...variant];
        yield {
          words: `admin ${words.join(' ')}`,
          group: '',
          isMove: true,
          about: existing.filter((name) => values.includes(name)),
          power: `\`admin ${wordsOf(command)}\` about ${existing.find((name) => values.includes(name)) ?? 'everybody'}`,
          async take() {
            const log = { functions: state.lines, operators: state.operators };
            const { code, operators } = await world.service.command(words, log);
            return { ok: code === 0, operators };
          },
        };
      }
  }
}
