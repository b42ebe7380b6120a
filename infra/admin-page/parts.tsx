import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { CODE_HOURS, MAX_CODE_HOURS } from '#lib/account/maxima';
import { inParallel } from '#lib/async/in-parallel';
import { trimmed } from '#lib/text/trimmed';
import { locale } from '#texts/locale';
import { parts as t } from '#texts/parts';
import { type Action, Acts } from './act.tsx';
import { Button } from './button.tsx';
import { Field, type FieldProps, type Fields, useDraft } from './form.tsx';
import { patient } from './patience.ts';
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
        <dd>{value ? <bdi>{value}</bdi> : <span class="faint">{t.none}</span>}</dd>
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

/** With seconds: most waits are short. */
const clock = new Intl.DateTimeFormat(locale.dates, { timeStyle: 'medium' });

/** Statuses after which a request of such work is sent again: the service has not carried it out. */
const BUSY = [429, 503];

type Send = <R>(request: () => Promise<R>) => Promise<R>;

/**
 * Work on several items, some at a time, and the progress that it shows: the items that have begun. Its requests, which
 * `send` sends, wait while the service is busy. It is stopped by its signal, or where the person did not confirm it.
 */
export function useWork() {
  const [progress, setProgress] = useState<{ max: number; value: number }>();
  const [waiting, setWaiting] = useState<Date>();
  const perform = <T, R>(
    items: readonly T[],
    work: (item: T, isStopped: boolean, send: Send) => Promise<R>,
    signal?: AbortSignal,
  ) => {
    const denial = latestDenial;
    const patiently = patient({ after: BUSY, signal, unsent: t.notSent, tell: setWaiting });
    const begin = (item: T, value: number) => {
      setProgress({ max: items.length, value });
      return work(item, signal?.aborted || latestDenial !== denial, patiently);
    };
    return inParallel(items, begin, AT_ONCE).finally(() => {
      setProgress(undefined);
      setWaiting(undefined);
    });
  };
  useWarning(progress !== undefined);
  const shown = progress && (
    <div class="work">
      <progress aria-label={t.progress} {...progress} />
      <div role="status" class="faint">
        {waiting && t.busy(clock.format(waiting))}
      </div>
    </div>
  );
  return [perform, shown] as const;
}

/** Names that people have chosen. */
export const Names = ({ of }: { readonly of: readonly string[] }) => (
  <span class="row">{of.length > 0 ? of.map((name) => <bdi key={name}>{name}</bdi>) : t.none}</span>
);

/** Hours that people choose from. */
const HOURS = [1, 8, CODE_HOURS, 2 * CODE_HOURS, MAX_CODE_HOURS];

interface HoursProps extends Omit<FieldProps, 'label' | 'name'> {
  readonly defaultValue: string;
  /** Text of the choice of no code, if that is possible. */
  readonly none?: string;
}

/** The lifetime of a one-time code. */
export function Hours({ defaultValue, none, ...rest }: HoursProps) {
  const [value, setValue] = useState(useDraft('hours') ?? defaultValue);
  return (
    <Field
      label={t.codeLabel}
      name="hours"
      value={value}
      onInput={({ currentTarget }) => setValue(currentTarget.value)}
      options={{
        ...Object.fromEntries(HOURS.map((n) => [n, n < 24 ? t.hours(n) : t.days(n / 24)])),
        ...(none && { '': none }),
      }}
      {...rest}
    />
  );
}

/** Form field to body: a one-time code where hours are given. */
export const inviteOf = ({ hours }: Fields) => (hours ? { invite_hours: Number(hours) } : {});

/** A field that accepts only this text, before an irreversible change. */
export const Confirm = ({ text, ...rest }: Pick<FieldProps, 'hint'> & { text: string }) => (
  <Field
    {...rest}
    label={t.confirm(text)}
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
  const [status, setStatus] = useState(t.once);
  const copy = async () => {
    await navigator.clipboard.writeText(value);
    setStatus(t.copied);
  };
  const refuse = () => setStatus(t.cannotCopy);
  return (
    <Field
      label={label}
      name="secret"
      value={value}
      readOnly
      isLong
      hint={<span role="status">{status}</span>}
    >
      <Button onClick={() => copy().catch(refuse)}>{t.copy}</Button>
    </Field>
  );
}
