import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { MAX_CODE_HOURS } from '#lib/account/maxima';
import { inParallel } from '#lib/async/in-parallel';
import { trimmed } from '#lib/text/trimmed';
import { type Action, Acts } from './act.tsx';
import { Button } from './button.tsx';
import { Field, type FieldProps, type Fields } from './form.tsx';
import { useWarning } from './place.ts';
import { AT_ONCE, latestDenial } from './session.ts';

type Values = Readonly<Record<string, ComponentChildren>>;

interface SectionProps extends Pick<Action, 'on' | 'after'> {
  readonly title?: ComponentChildren;
  readonly actions?: readonly Action[];
  readonly facts?: Values;
  readonly children?: ComponentChildren;
}

/** A part of a screen. */
export const Section = ({ title, actions = [], facts, children, ...rest }: SectionProps) => (
  <section class="part">
    <div class="row">
      {title && <h2>{title}</h2>}
      <Acts {...rest} of={actions} />
    </div>
    {facts && <Facts of={facts} />}
    {children}
  </section>
);

/** Values by their names; they may be names that people have chosen. */
export const Facts = ({ of }: { readonly of: Values }) => (
  <dl class="grid card">
    {Object.entries(of).map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value ? <bdi>{value}</bdi> : <span class="faint">none</span>}</dd>
      </div>
    ))}
  </dl>
);

/** Content that only some people need. */
export const Disclosure = ({
  title,
  children,
}: {
  title: ComponentChildren;
  children: ComponentChildren;
}) => (
  <details>
    <summary>{title}</summary>
    {children}
  </details>
);

/** A number of accounts in words. */
export const count = ({ length }: readonly unknown[]) => `${length} ${length === 1 ? 'account' : 'accounts'}`;

/** The number of results with each outcome. */
export function Tally({ of }: { readonly of: readonly { readonly outcome: string }[] }) {
  const groups = Object.entries(Object.groupBy(of, ({ outcome }) => outcome));
  return <p>{groups.map(([outcome, same = []]) => `${same.length} ${outcome}`).join(', ')}.</p>;
}

/** A list that scrolls by keyboard. */
export const Lines = ({ label, children }: { label: string; children: ComponentChildren }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: otherwise only a mouse scrolls it
  <ul class="report card" tabIndex={0} aria-label={label}>
    {children}
  </ul>
);

/**
 * Work on several items, some at a time, and the progress that it shows: the items that have begun. It is stopped by its
 * signal, or where the person did not confirm it.
 */
export function useWork() {
  const [progress, setProgress] = useState<{ max: number; value: number }>();
  const perform = <T, R>(
    items: readonly T[],
    work: (item: T, isStopped: boolean) => Promise<R>,
    signal?: AbortSignal,
  ) => {
    const denial = latestDenial;
    const begin = (item: T, value: number) => {
      setProgress({ max: items.length, value });
      return work(item, signal?.aborted || latestDenial !== denial);
    };
    return inParallel(items, begin, AT_ONCE).finally(() => setProgress(undefined));
  };
  useWarning(progress !== undefined);
  return [perform, progress && <progress aria-label="Progress" {...progress} />] as const;
}

/** Names that people have chosen. */
export const Names = ({ of }: { readonly of: readonly string[] }) => (
  <span class="row">{of.length > 0 ? of.map((name) => <bdi key={name}>{name}</bdi>) : 'none'}</span>
);

/** The lifetime of a one-time code. */
export const Hours = ({ hint = '', ...rest }: Partial<FieldProps>) => (
  <Field
    label="Hours until the code ends"
    name="hours"
    type="number"
    min={1}
    max={MAX_CODE_HOURS}
    hint={`From 1 to ${MAX_CODE_HOURS}. ${hint}`}
    {...rest}
  />
);

/** Form field to body: a one-time code where hours are given. */
export const inviteOf = ({ hours }: Fields) => (hours ? { invite_hours: Number(hours) } : {});

/** A field that accepts only this text, before an irreversible change. */
export const Confirm = ({ text, ...rest }: Pick<FieldProps, 'hint'> & { text: string }) => (
  <Field
    {...rest}
    label={`Type ${text} to confirm`}
    name="confirmation"
    autocomplete="off"
    required
    pattern={text.replace(/[.+]/g, '\\$&')}
    onInput={({ currentTarget: it }) => {
      it.value = trimmed(it.value);
    }}
    title={text}
  />
);

/** A secret that is shown only once, with a button that copies it. */
export function Once({ label, value }: Record<'label' | 'value', string>) {
  const [status, setStatus] = useState('It is shown only once.');
  const copy = async () => {
    await navigator.clipboard.writeText(value);
    setStatus('Copied. It is shown only once.');
  };
  const refuse = () => setStatus('The browser cannot copy it: select it. It is shown only once.');
  return (
    <Field
      label={label}
      name="secret"
      value={value}
      readOnly
      isLong
      hint={<span role="status">{status}</span>}
    >
      <Button onClick={() => copy().catch(refuse)}>Copy</Button>
    </Field>
  );
}
