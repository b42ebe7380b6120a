import type { EventType } from '../instance/settings.ts';

/** The attribute of an account or a team that has the number of its published events of a type; absent before the first. */
export const sequenceOf = <Type extends EventType>(type: Type) => `sequence_${type}` as const;

/** These attributes. A subject is created once, so its creation needs none. */
export type Sequences = { readonly [Type in EventType as `sequence_${Type}`]?: number };
