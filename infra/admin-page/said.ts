import type { ComponentChildren } from 'preact';

/** What a text of a catalogue has in its gaps: texts, and elements such as a name in `<bdi>`. */
export type Said = ComponentChildren;

/** A text of a catalogue with elements in its gaps: said`${name} is locked.` */
export const said = (texts: TemplateStringsArray, ...gaps: readonly Said[]): Said =>
  texts.flatMap((text, index) => [text, gaps[index]]);
