import type { Need } from '#lib/http/contract';

/** What a need allows: these actions on this one resource. */
export interface Grant {
  readonly actions: readonly string[];
  /** An ARN without wildcards. */
  readonly resource: string;
}

/** A resource as functions see it: the value of the variable that leads to it, and what each need of it allows. */
export interface Binding {
  readonly value: string;
  /** undefined for a need of something else */
  readonly grant: (need: Need) => Grant | undefined;
}
