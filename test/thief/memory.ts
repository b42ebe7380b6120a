import type { Name } from './people.ts';
import type { State, Step } from './world.ts';

/** The effect of a step on the facts. */
export interface Effect {
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** What is known of a step without taking it: a refusal, a success without an effect, or its effect. */
export type Known = 'refused' | 'no effect' | Effect;

export type Memory = ReturnType<typeof newMemory>;

const isAboutSecret = (fact: string) => fact.includes(': thief has the ');

/** The facts of each account in one text, those of the table apart from those of secrets. */
function factsByAccount(facts: readonly string[]) {
  const table = new Map<string, string>();
  const secrets = new Map<string, string>();
  for (const fact of facts) {
    const name = fact.slice(0, fact.indexOf(':'));
    const into = isAboutSecret(fact) ? secrets : table;
    into.set(name, `${into.get(name) ?? ''}\n${fact}`);
  }
  return { table, secrets };
}

/** Which accounts are administrators: the service keeps one. */
const administrators = (facts: readonly string[]) =>
  facts.filter((fact) => fact.includes(': roles ') && fact.includes('sys_administrator')).join('\n');

/**
 * Remembers the outcomes of steps, by their words and the facts of the accounts that they concern: the same in every search. A
 * refusal, or a success without an effect, depends on the table only; an effect on the secrets of these accounts, too.
 */
export function newMemory() {
  const still = new Map<string, 'refused' | 'no effect'>();
  /** Groups of steps whose caller lacks the role. */
  const unfit = new Set<string>();
  const effects = new Map<string, Effect>();

  return {
    /** What is known, and can be noted, in a state. */
    in({ facts }: State) {
      const { table, secrets } = factsByAccount(facts);
      const common = `${administrators(facts)}${table.get('world')}`;
      const of = (texts: ReadonlyMap<string, string>, about: readonly Name[]) =>
        about.map((name) => texts.get(name) ?? '').join('\n');
      const ofTable = ({ words, about }: Step) => `${words}\n${common}${of(table, about)}`;
      const ofAll = (step: Step) => `${ofTable(step)}\n${of(secrets, step.about)}`;
      return {
        known(step: Step): Known | undefined {
          if (step.isUnique) return undefined;
          if (unfit.has(step.group)) return 'refused';
          return still.get(ofTable(step)) ?? effects.get(ofAll(step));
        },
        note(step: Step, outcome: Known, lacksRole = false): void {
          if (lacksRole) unfit.add(step.group);
          else if (typeof outcome === 'string') still.set(ofTable(step), outcome);
          else effects.set(ofAll(step), outcome);
        },
      };
    },
  };
}
