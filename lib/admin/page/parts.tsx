import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { Act } from './act.tsx';
import { Field } from './form.tsx';
import type { Column } from './listing.tsx';
import { Time } from './time.tsx';

export type Action = Omit<Parameters<typeof Act>[0], 'title' | 'after'> & {
  /** Also its title. */
  readonly label: string;
  readonly text: string;
  /** Whether it is offered; by default it is. */
  readonly isDue?: boolean;
};

/** The buttons of some actions on the same thing. */
export const Acts = ({ of, after }: { readonly of: readonly Action[]; readonly after?: () => void }) => (
  <span class="row">
    {of.map(
      ({ isDue = true, text, children, ...action }) =>
        isDue && (
          <Act key={action.label} title={action.label} {...action} {...(after && { after })}>
            <p>{text}</p>
            {children}
          </Act>
        ),
    )}
  </span>
);

type Texts = Readonly<Record<string, string>>;

/** A field with a few values, by their texts. */
export const Choice = ({ of, ...field }: { label: string; name: string; required?: boolean; of: Texts }) => (
  <Field {...field} as="select">
    {Object.entries(of).map(([value, text]) => (
      <option key={value} value={value}>
        {text}
      </option>
    ))}
  </Field>
);

interface SectionProps {
  readonly title: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** A part of a screen. */
export const Section = ({ title, actions, children }: SectionProps) => (
  <section class="part">
    <div class="row">
      <h2>{title}</h2>
      {actions}
    </div>
    {children}
  </section>
);

/** Columns of fields that are texts, or times by their names; the first one names the row. */
export const show = <Item,>(fields: Readonly<Record<string, keyof Item & string>>): Column<Item>[] =>
  Object.entries(fields).map(([label, name], index) => ({
    label,
    isName: index === 0,
    cell: (item) => {
      const value = item[name] as string | null;
      return /(^time|_at)$/.test(name) ? <Time of={value} /> : <bdi>{value}</bdi>;
    },
  }));

/** Values by their names. */
export const Facts = ({ of }: { readonly of: Readonly<Record<string, ComponentChildren>> }) => (
  <dl class="facts card">
    {Object.entries(of).map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value || <span class="faint">none</span>}</dd>
      </div>
    ))}
  </dl>
);

/** Names that people have chosen. */
export const Names = ({ of }: { readonly of: readonly string[] }) => (
  <span class="names row">{of.length > 0 ? of.map((name) => <bdi key={name}>{name}</bdi>) : 'none'}</span>
);

/** The names in the text of a field, which spaces separate. */
export const namesIn = (text = '') => text.split(/\s+/).filter(Boolean);

/** A secret that nobody can read again, with a button that copies it. */
export function Once({ label, value }: Record<'label' | 'value', string>) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [status, setStatus] = useState('It is shown only now.');
  const copy = async () => {
    input.current?.select();
    // Only pages with https have a clipboard.
    await navigator.clipboard?.writeText(value);
    setStatus(
      navigator.clipboard ? 'Copied. It is shown only now.' : 'Selected: copy it with your keyboard.',
    );
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="control">
        <input ref={input} id={id} value={value} readOnly />
        <button type="button" onClick={copy}>
          Copy
        </button>
      </div>
      <small role="status">{status}</small>
    </div>
  );
}
