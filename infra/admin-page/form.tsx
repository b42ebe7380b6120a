import { type ComponentChildren, createContext, Fragment, isValidElement, type JSX } from 'preact';
import { useContext, useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { CoreAccountError, type RequestOptions } from '#lib/client/index';
import { trimmed } from '#lib/text/trimmed';
import { forms as t } from '#texts/forms';
import { Button } from './button.tsx';
import { draftOf, dropDraft, keepDraft, valuesIn } from './drafts.ts';
import { Details, Failed } from './failed.tsx';
import { faultText, knownFault } from './faults.ts';
import { collect, notify, type Undo } from './notice.tsx';

/** The values of a form by the names of its fields. */
export type Fields = Readonly<Record<string, string>>;

const Faults = createContext<CoreAccountError['errors']>([]);

const Draft = createContext<Fields>({});

/** What was typed earlier into a field of this form whose value a component holds, such as the names of a picker. */
export const useDraft = (name: string): string | undefined => useContext(Draft)[name];

export { draftOf };

export interface FieldProps extends Omit<JSX.IntrinsicElements['input'], 'label'> {
  readonly label: string;
  /** Name of the property of the request: the field shows the faults that the service finds in it. */
  readonly name: string;
  readonly hint?: ComponentChildren;
  /** A fault that the service finds in it, in words of the field; by default those of all fields. */
  readonly faultOf?: (message: string) => string | undefined;
  /** Texts of the values of a `<select>`, which replaces the input. */
  readonly options?: Fields;
  /** Shown between the label and the control. */
  readonly above?: ComponentChildren;
  /** Shown between the control and the hint. */
  readonly below?: ComponentChildren;
  /** Whether a `<textarea>` replaces the input. */
  readonly isLong?: boolean;
  /** `off` keeps the lines of a `<textarea>` as they are. */
  readonly wrap?: 'off';
}

/** Years have four digits: otherwise browsers take the digits of a time for more. */
const LAST: Fields = { date: '9999-12-31', 'datetime-local': '9999-12-31T23:59' };

/** A field of a form with its label, hint and fault; children are shown next to its control. */
export function Field(props: FieldProps) {
  const { label, hint, faultOf, options, isLong, above, below, children, ...rest } = props;
  const id = useId();
  const faults = useContext(Faults).filter(({ field }) => field.split('.').includes(rest.name));
  const messages = [...new Set(faults.map(({ message }) => message))];
  const said = messages.map((message) => faultOf?.(message) ?? faultText(message));
  const fault = said.map((text) => (/[.?!]$/.test(text) ? `${text} ` : `${text}. `)).join('');
  // What is not in the language of the page.
  const unknown = messages.filter((message) => !(faultOf?.(message) ?? knownFault(message)));
  const foreign = unknown.filter((message) => !fault.includes(message));
  const [isVisible, setVisible] = useState(false);
  const isSecret = rest.type === 'password';
  const draft = useDraft(rest.name);
  const defaultValue = rest.value === undefined ? (draft ?? rest.defaultValue) : rest.defaultValue;
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const control = place.current?.querySelector<HTMLInputElement>('input, select, textarea');
    // Browsers focus what appears later only in a dialog that opens.
    if (!rest.autofocus || !control || control.closest('dialog:not([open])')) return;
    control.focus();
    control.select?.();
  }, []);
  const Control = options ? 'select' : isLong ? 'textarea' : 'input';
  const attributes = {
    max: LAST[String(rest.type)],
    ...rest,
    ...(defaultValue !== undefined && { defaultValue }),
    id,
    ...(isSecret && { 'data-secret': true, type: isVisible ? 'text' : 'password' }),
    'aria-describedby': `${id}-notes`,
    'aria-invalid': fault ? true : undefined,
  } as object;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {above}
      <div class="control" ref={place}>
        <Control {...attributes}>
          {options &&
            Object.entries(options).map(([value, text]) => (
              <option key={value} value={value} selected={value === defaultValue}>
                {text}
              </option>
            ))}
        </Control>
        {isSecret && (
          <button type="button" class="quiet" aria-pressed={isVisible} onClick={() => setVisible(!isVisible)}>
            {t.show}
            <span class="hidden"> {label}</span>
          </button>
        )}
        {children}
      </div>
      {below}
      <small id={`${id}-notes`} class={hint || fault ? 'faint noted' : 'faint'}>
        {hint} <span class="fault">{fault}</span>
      </small>
      {foreign.length > 0 && <Details text={fault} of={foreign} />}
    </div>
  );
}

export interface FormProps {
  /** Sends the request with the options. An element that it resolves to, such as a secret, is shown until it is closed. */
  readonly onSubmit: (fields: Fields, options: RequestOptions) => Promise<unknown>;
  /** Text of its button. */
  readonly submit: string;
  /** Name of what it changes. */
  readonly on?: string | undefined;
  readonly isDangerous?: boolean | undefined;
  readonly onBack?: (() => void) | undefined;
  /** Whether its button has the focus, since nothing is to be typed. */
  readonly isReady?: boolean;
  /** Text for invalid credentials, in the words of the form. */
  readonly refusal?: string;
  /** Text of the answer: what happened, and what is next; by default that of the service. */
  readonly done?: ((fields: Fields, result: unknown) => ComponentChildren) | undefined;
  /** Heading of the dialog with an element that `onSubmit` resolves to; by default the text of the button. */
  readonly heading?: ComponentChildren;
  /** What takes the change back, if that is possible. */
  readonly undo?: ((fields: Fields, result: unknown) => Undo | undefined) | undefined;
  /** Keeps what was typed under this name until it is sent or discarded; never a secret. */
  readonly draft?: string | undefined;
  /** Resets what the parent of the form holds, when the draft is discarded. */
  readonly onDiscard?: () => void;
  readonly class?: string;
  readonly children?: ComponentChildren;
}

/** Fields whose values are read as the service reads them: without what surrounds them unseen. */
const TYPED = ['username', 'code'];

const fieldsIn = (form: HTMLFormElement): Fields =>
  Object.fromEntries(
    [...new FormData(form)].map(([name, value]) => [
      name,
      TYPED.includes(name) ? trimmed(String(value)) : (value as string),
    ]),
  );

const secretsIn = (form: HTMLFormElement | null) =>
  form?.querySelectorAll<HTMLInputElement>('[data-secret]') ?? [];

/** No password that was accepted remains in the page. One that was refused stays, since only one field may be wrong. */
function forget(form: HTMLFormElement | null) {
  for (const input of secretsIn(form)) input.value = '';
}

/** Selects the secret that was wrong, which is the first one, to be typed again. */
function selectWrong(form: HTMLFormElement | null) {
  const [wrong] = secretsIn(form);
  wrong?.focus();
  wrong?.select();
}

/**
 * Keeps what is typed into a form as its draft.
 *
 * @returns the draft that it begins with, a number that grows when it begins again, and what does both
 */
function useKeeping(name: string | undefined, form: { readonly current: HTMLFormElement | null }) {
  const [kept, setKept] = useState<Fields>(() => (name ? draftOf(name) : {}));
  const [turn, setTurn] = useState(0);
  const isKept = Object.keys(kept).length > 0;
  /** The values without a draft, which need none; undefined while the form begins again. */
  const begun = useRef<string | undefined>(undefined);
  const textOf = (fields: Fields) => JSON.stringify(fields);
  useLayoutEffect(() => {
    begun.current = isKept || !form.current ? '' : textOf(valuesIn(form.current));
  }, [turn]);
  const keep = () => {
    if (!name || !form.current || begun.current === undefined) return;
    const values = valuesIn(form.current);
    if (textOf(values) === begun.current) dropDraft(name);
    else keepDraft(name, values);
  };
  const drop = () => {
    if (!name) return;
    begun.current = undefined;
    dropDraft(name);
    setKept({});
    setTurn((last) => last + 1);
  };
  // Later, when a list of the form has put the value into its field.
  return { kept, isKept, turn, drop, keep: () => queueMicrotask(keep) };
}

const FIELDS = 'input:not([type=hidden]), select, textarea';

/** Opens the part that a field is folded into: otherwise no one sees its fault. */
const reveal = (field: Element) => field.closest('details')?.setAttribute('open', '');

/**
 * A form that sends one request at a time. The page shows its answer, the form its failure; what was typed stays.
 * Leaving the form stops its request; the page then reports an unknown outcome.
 */
export function Form(props: FormProps) {
  const { onSubmit, submit, on, heading, isDangerous, onBack, refusal, class: name, children } = props;
  const form = useRef<HTMLFormElement>(null);
  const [error, setError] = useState<unknown>();
  const [sent, setSent] = useState<AbortController>();
  const stop = () => sent?.abort(t.unknownOutcome);
  const { kept, isKept, turn, drop, keep } = useKeeping(props.draft, form);
  useLayoutEffect(() => stop, [sent]);
  useEffect(() => {
    const faulty = form.current?.querySelector<HTMLElement>('[aria-invalid]');
    if (faulty) reveal(faulty);
    faulty?.focus();
  }, [error]);

  const send = async (event: Event) => {
    event.preventDefault();
    if (sent) return;
    const controller = new AbortController();
    setSent(controller);
    setError(undefined);
    const { done, options } = collect(controller.signal);
    try {
      const fields = fieldsIn(form.current as HTMLFormElement);
      const result = await onSubmit(fields, options);
      forget(form.current);
      drop();
      const shown = isValidElement(result)
        ? { title: heading ?? submit, on: heading ? undefined : on, children: result }
        : undefined;
      const message = props.done?.(fields, result) ?? done.message;
      notify({ done: { ...done, message }, undo: props.undo?.(fields, result), shown });
    } catch (failure) {
      if (failure instanceof CoreAccountError && failure.status === 401) selectWrong(form.current);
      if (form.current) setError(failure);
      else notify({ error: failure });
    }
    setSent(undefined);
  };
  const discard = () => {
    drop();
    setError(undefined);
    props.onDiscard?.();
    // The button goes; its form begins again.
    queueMicrotask(() => form.current?.querySelector<HTMLElement>(FIELDS)?.focus());
  };
  const has = (path: string) => path.split('.').some((name) => form.current?.elements.namedItem(name));
  return (
    <form
      ref={form}
      class={name}
      onSubmit={send}
      onInput={keep}
      onClick={keep}
      onKeyDown={keep}
      onInvalidCapture={({ target }: Event) => reveal(target as Element)}
      aria-busy={sent !== undefined}
    >
      <Faults.Provider value={error instanceof CoreAccountError ? error.errors : []}>
        <Draft.Provider value={kept}>
          <Fragment key={turn}>{children}</Fragment>
        </Draft.Provider>
      </Faults.Provider>
      {error !== undefined && <Failed error={error} isShown={has} refusal={refusal} />}
      <div class="row end">
        {isKept && (
          <span class="draft faint">
            {t.draftKept} –{' '}
            <Button class="quiet" onClick={discard}>
              {t.discard}
            </Button>
          </span>
        )}
        {(onBack || sent) && (
          <Button onClick={onBack ?? stop}>
            <span class="steady" data-widest={sent ? t.back : t.stop}>
              {sent ? t.stop : t.back}
            </span>
          </Button>
        )}
        <button
          type="submit"
          class={isDangerous ? 'danger' : undefined}
          aria-disabled={sent !== undefined}
          autofocus={props.isReady}
          // Ignores the second click of a double click that opened the dialog.
          onClick={(event) => event.detail > 1 && event.preventDefault()}
        >
          {submit}
        </button>
      </div>
    </form>
  );
}
