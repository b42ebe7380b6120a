import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { search as t } from '#texts/search';
import { Field, type FieldProps } from './form.tsx';

/** An entry of a list. */
export interface Choice {
  readonly value: string;
  /** Shown instead of the value. */
  readonly text?: ComponentChildren;
  /** A sentence below it. */
  readonly note?: ComponentChildren;
  readonly before?: ComponentChildren;
}

/** Attributes of a field whose text must be picked or cleared before its form is sent. */
export const UNPICKED = { pattern: '(?!)', title: t.pickOrClear };

interface ComboboxProps extends Omit<FieldProps, 'value' | 'onInput' | 'list'> {
  /** The text in the field. */
  readonly value: string;
  readonly onType: (text: string) => void;
  /** Entries that match the text, the best one first. */
  readonly choices: readonly Choice[];
  readonly onPick: (value: string) => void;
  /** Shown when no entry matches. */
  readonly empty?: ComponentChildren;
  /** Whether the list is always shown, below the field and not above what follows. */
  readonly isOpen?: boolean;
  /** Whether the entries are of an earlier text: Enter waits for those of this one. */
  readonly isLoading?: boolean;
}

/** A field that picks an entry of a list, which a text narrows: by arrows and Enter, or by pointer. */
export function Combobox(props: ComboboxProps) {
  const { value, onType, choices, onPick, empty, isOpen, isLoading, ...rest } = props;
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [isShown, setShown] = useState(false);
  const [at, setAt] = useState(0);
  const isListed = (isOpen || isShown) && choices.length > 0;
  const index = Math.min(at, choices.length - 1);
  useLayoutEffect(() => {
    if (!isListed) return;
    for (const each of [list.current, list.current?.children[index]])
      each?.scrollIntoView?.({ block: 'nearest' });
  }, [isListed, index, choices.length]);
  const pick = (choice: Choice | undefined) => {
    if (!choice) return;
    setShown(false);
    setAt(0);
    onPick(choice.value);
  };
  const isWaiting = useRef(false);
  useLayoutEffect(() => {
    if (!isWaiting.current || isLoading) return;
    isWaiting.current = false;
    pick(choices[0]);
  }, [isLoading]);
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      setAt(isListed ? (index + step + choices.length) % choices.length : 0);
      setShown(true);
    } else if (event.key === 'Enter' && isLoading && value.trim() && at === 0) isWaiting.current = true;
    else if (event.key === 'Enter' && (isListed || value)) pick(isListed ? choices[index] : undefined);
    else if (event.key === 'Escape' && isShown && !isOpen) setShown(false);
    else return;
    event.preventDefault();
  };
  return (
    <Field
      {...rest}
      value={value}
      role="combobox"
      aria-expanded={isListed}
      aria-controls={isListed ? id : undefined}
      aria-activedescendant={isListed ? `${id}-${index}` : undefined}
      aria-autocomplete="list"
      autocomplete="off"
      autocapitalize="none"
      spellcheck={false}
      onInput={({ currentTarget }) => {
        isWaiting.current = false;
        setAt(0);
        setShown(true);
        onType(currentTarget.value);
      }}
      onKeyDown={press}
      onClick={() => setShown(true)}
      onBlur={() => {
        isWaiting.current = false;
        setShown(false);
      }}
      below={
        <>
          {isListed && (
            <div
              ref={list}
              id={id}
              role="listbox"
              aria-label={rest.label}
              class={isOpen ? undefined : 'popup'}
            >
              {choices.map((choice, n) => (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
                // biome-ignore lint/a11y/useFocusableInteractive: and the focus
                <div
                  key={choice.value}
                  id={`${id}-${n}`}
                  role="option"
                  aria-selected={n === index}
                  // The field keeps the focus.
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={() => pick(choice)}
                >
                  {choice.before}
                  <span>
                    <bdi>{choice.text ?? choice.value}</bdi>
                    {choice.note && <small>{choice.note}</small>}
                  </span>
                </div>
              ))}
            </div>
          )}
          {(isOpen || isShown) && choices.length === 0 && empty && (
            <p class={`faint${isOpen ? '' : ' popup card'}`} role="status">
              {empty}
            </p>
          )}
        </>
      }
    />
  );
}
