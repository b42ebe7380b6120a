import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { forms as t } from '#texts/forms';
import { returnTo } from './button.tsx';
import { Icon } from './icon.tsx';

export interface DialogProps {
  readonly title: ComponentChildren;
  /** Name of what it is about. */
  readonly on?: string | undefined;
  /** Whether its title is a sentence that names what it is about; `on` is then its username or its like. */
  readonly isQuestion?: boolean;
  /** Called by Escape; the dialog stays open until it is removed. */
  readonly onEscape?: () => void;
  /** Whether it has a button that closes it. */
  readonly isLight?: boolean;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A modal dialog; after it, the focus returns to where it was. */
export function Dialog({ title, on, isQuestion, onEscape, isLight, children, class: name }: DialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const opener = document.activeElement as HTMLElement | null;
    dialog.current?.showModal();
    return () => returnTo(opener);
  }, []);
  return (
    <dialog
      ref={dialog}
      class={name}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onEscape?.();
      }}
      // Browsers let a page prevent one Escape, not the next.
      onClose={() => {
        onEscape?.();
        dialog.current?.showModal();
      }}
    >
      <div class="sheet">
        <div class="row">
          <h2 id={id}>
            {title}
            {on && (isQuestion ? ' ' : ': ')}
            <bdi class={isQuestion ? 'faint small' : undefined}>{on}</bdi>
          </h2>
          {isLight && (
            <button type="button" class="quiet icon" aria-label={t.close} onClick={onEscape}>
              <Icon of="close" />
            </button>
          )}
        </div>
        {children}
      </div>
    </dialog>
  );
}
