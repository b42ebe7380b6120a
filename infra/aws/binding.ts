import type { Need } from '#lib/contract/needs';

/** Allowed actions on one resource. */
export interface Grant {
  readonly actions: readonly string[];
  /** An ARN without wildcards. */
  readonly resource: string;
  readonly conditions?: Readonly<Record<string, unknown>>;
}

/** A resource that functions use: the value of its environment variable, and the grants for needs. */
export interface Binding {
  readonly value: string;
  readonly meets: (need: Need) => boolean;
  /** @param needs needs of one function that this resource meets */
  readonly grants: (needs: readonly Need[]) => readonly Grant[];
}
