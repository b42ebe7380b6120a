import { Argument, type Command } from 'commander';
import { alone } from '../run.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** `admin completion`: a script that completes the commands in a shell. */
export function completionCommand(program: Command): void {
  program
    .command('completion')
    .description('print a script that completes commands and options of a shell function "admin"')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .action(
      alone((shell: Shell, _: object, command: Command) => {
        const script = completionScript(program, shell);
        if (command.optsWithGlobals()['json']) return { shell, script };
        process.stdout.write(script);
        return undefined;
      }),
    );
}

/** What may follow a command: `account` and its commands, with all options. */
export interface Words {
  /** The commands that lead to it, with a space between two. */
  readonly path: string;
  readonly commands: readonly string[];
  readonly options: readonly string[];
}

/** What may follow each of the commands; the options of the program may stand anywhere. */
export function wordsOf(command: Command, above: readonly string[] = []): Words[] {
  const options = command.options.flatMap(({ long }) => long ?? []);
  return [
    {
      path: above.join(' '),
      commands: command.commands.map((each) => each.name()),
      options: [...options, '--help'],
    },
    ...command.commands.flatMap((each) => wordsOf(each, [...above, each.name()])),
  ];
}

/** A shell script; of the options that may stand before a command, some have a value, which is none. */
export function completionScript(program: Command, shell: Shell): string {
  const all = wordsOf(program);
  const withValue = program.options.flatMap(({ required, long }) => (required && long ? [long] : []));
  const everywhere = all[0]?.options ?? [];
  const places = all.map(({ path, commands, options }): Place => {
    const words = new Set([...commands, ...options, ...everywhere]);
    return { path, words: [...words].join(' ') };
  });
  return shell === 'fish' ? fish(places, withValue) : `${PREPARED[shell]}${bash(places, withValue)}`;
}

interface Place {
  readonly path: string;
  readonly words: string;
}

const PREPARED = { bash: '', zsh: 'autoload -U +X bashcompinit && bashcompinit\n' };

const below = (places: readonly Place[]) => places.slice(1).map(({ path }) => `"${path}"`);

/** Its variables have names that mean nothing to zsh, where `path` and `words` do. */
const bash = (places: readonly Place[], withValue: readonly string[]) => `_admin() {
  local at= each= skip= found=
  for each in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [ -n "$skip" ]; then skip=; continue; fi
    case "$each" in ${withValue.join('|')}) skip=1; continue ;; esac
    case "\${at:+$at }$each" in
      ${below(places).join('|')}) at="\${at:+$at }$each" ;;
    esac
  done
  case "$at" in
${places.map(({ path, words }) => `    "${path}") found="${words}" ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$found" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _admin admin
`;

const fish = (places: readonly Place[], withValue: readonly string[]) => `function __admin_at
  set -l at
  set -l skip
  for each in (commandline -opc)[2..-1]
    if test -n "$skip"
      set skip
    else if contains -- $each ${withValue.join(' ')}
      set skip 1
    else if contains -- "$(string join ' ' $at $each)" ${below(places).join(' ')}
      set -a at $each
    end
  end
  string join ' ' $at
end
${places
  .map(({ path, words }) => `complete -c admin -n 'test "$(__admin_at)" = "${path}"' -a "${words}"`)
  .join('\n')}
`;
