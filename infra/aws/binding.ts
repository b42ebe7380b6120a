import type { Need } from '#lib/contract/needs';

/** Actions that are allowed on one resource. */
export interface Grant {
  readonly actions: readonly string[];
  /** An ARN without wildcards. */
  readonly resource: string;
  readonly conditions?: Readonly<Record<string, unknown>>;
}

/** A resource as functions see it: the value of the variable that leads to it, and what needs of it allow. */
export interface Binding {
  readonly value: string;
  readonly meets: (need: Need) => boolean;
  /** @param needs those of one function that it meets */
  readonly grants: (needs: readonly Need[]) => readonly Grant[];
}
