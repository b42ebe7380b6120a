/** C0, DEL, C1 and bidirectional overrides: a terminal obeys them, so names forge or reorder rows (CVE-2021-42574). */
const CONTROLS = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** Whether a text has no control characters. */
export const isPlain = (text: string) => text.search(CONTROLS) < 0;

export const withoutControls = (text: string) => text.replace(CONTROLS, '');

/** Writes each control character as `\uXXXX`. JSON without line breaks keeps its value. */
export const escapeControls = (text: string) =>
  text.replace(CONTROLS, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`);
