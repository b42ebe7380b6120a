import { signal } from '@preact/signals';
import { draftOf, dropDraft, keepDraft } from '../drafts.ts';

/** Name of the draft: a reload of the tab keeps the file. */
const DRAFT = 'import file';

/** Largest file that is kept over a reload, in bytes: browsers store about 5 MB of text. */
const MAX_KEPT = 2_000_000;

/** The file that a person has chosen and not imported: other screens leave it. */
export const chosen = signal<File | undefined>();

/** Notes a file, or that there is none. */
export function choose(file: File | undefined) {
  chosen.value = file;
  dropDraft(DRAFT);
}

/** Keeps the chosen file over a reload. It must have no secret. */
export async function keepChosen(file: File) {
  if (file.size > MAX_KEPT || file !== chosen.value) return;
  const bytes = new Uint8Array(await file.arrayBuffer());
  const content = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  keepDraft(DRAFT, { name: file.name, content: btoa(content) });
}

/** Restores the file that was chosen before a reload. */
export function restoreChosen() {
  const { name, content } = draftOf(DRAFT);
  if (chosen.value || name === undefined || content === undefined) return;
  const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
  chosen.value = new File([bytes], name);
}
