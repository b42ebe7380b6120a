/** C0, DEL, C1 and bidirectional overrides: a terminal obeys them, so names forge or reorder rows (CVE-2021-42574). */
const CHARACTERS = String.raw`\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069`;

const CONTROLS = new RegExp(`[${CHARACTERS}]`, 'g');

/** A text without control characters, in a form that each language with regular expressions reads. */
export const PLAIN = new RegExp(`^[^${CHARACTERS}]*$`);

export const withoutControls = (text: string) => text.replace(CONTROLS, '');

/** Writes each control character as `\uXXXX`. JSON without line breaks keeps its value. */
export const escapeControls = (text: string) =>
  text.replace(CONTROLS, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`);
