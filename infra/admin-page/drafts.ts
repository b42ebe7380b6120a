/** Values of fields by their names. */
type Values = Readonly<Record<string, string>>;

interface Drafts {
  /** Username of the person who typed them. */
  readonly of: string;
  readonly forms: Readonly<Record<string, Values>>;
}

/** Where the storage of this tab has them: a reload keeps it, and no other tab reads it. */
const PLACE = 'drafts';

const NONE: Drafts = { of: '', forms: {} };

/** Username of the person at the page; empty until it is known. */
let person = '';

/** What a browser that refuses its storage loses with the page. */
let unstored: string | null = null;

function read(): Drafts {
  let text = unstored;
  try {
    text ??= sessionStorage.getItem(PLACE);
  } catch {
    // Nothing is stored.
  }
  return text ? (JSON.parse(text) as Drafts) : NONE;
}

function write(drafts: Drafts) {
  const text = Object.keys(drafts.forms).length > 0 ? JSON.stringify(drafts) : null;
  try {
    if (text) sessionStorage.setItem(PLACE, text);
    else sessionStorage.removeItem(PLACE);
    unstored = null;
  } catch {
    unstored = text;
  }
}

/** Whether this tab has drafts. */
export const hasDrafts = () => Object.keys(read().forms).length > 0;

/** The values of a form that were typed earlier and not sent; none by default. */
export const draftOf = (form: string): Values => read().forms[form] ?? {};

/** Keeps the values of a form until they are sent or discarded. */
export const keepDraft = (form: string, values: Values) =>
  write({ of: person, forms: { ...read().forms, [form]: values } });

/** Discards the values of a form. */
export function dropDraft(form: string) {
  const { of, forms } = read();
  const { [form]: dropped, ...others } = forms;
  if (dropped) write({ of, forms: others });
}

/** Discards the values of all forms about an account, which their names have as a line. */
export function dropDraftsOf(username: string) {
  for (const form of Object.keys(read().forms)) if (form.split('\n').includes(username)) dropDraft(form);
}

/** Discards all values, as when a person logs out. */
export const dropDrafts = () => write(NONE);

/** Notes who is at the page: the drafts of another person go. */
export function noteAuthor(username: string) {
  const { of, forms } = read();
  person = username;
  write(of === username || of === '' ? { of: username, forms } : NONE);
}

/** Fields that are typed for each request again. */
const UNKEPT = ['confirmation'];

/** Types whose values are secrets, files, or consent that is given anew. */
const UNKEPT_TYPES = ['password', 'file', 'checkbox', 'radio', 'submit', 'button'];

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** The values in a form that may be kept: never a secret. */
export function valuesIn(form: HTMLFormElement): Values {
  const controls = [...form.elements].filter((each): each is Control => 'value' in each && 'name' in each);
  const kept = controls.filter(
    (control) =>
      control.name !== '' &&
      !UNKEPT.includes(control.name) &&
      !UNKEPT_TYPES.includes(control.type) &&
      !('secret' in control.dataset) &&
      !('readOnly' in control && control.readOnly),
  );
  return Object.fromEntries(kept.map(({ name, value }) => [name, value]));
}
