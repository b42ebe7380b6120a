import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { returnTo } from './button.tsx';
import { Icon } from './icon.tsx';

export interface DialogProps {
  readonly title: string;
  /** Name of what it is about. */
  readonly on?: string | undefined;
  /** Called by Escape; the dialog stays open until it is removed. */
  readonly onEscape?: () => void;
  /** Whether it has a button that closes it. */
  readonly isLight?: boolean;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A modal dialog; after it, the focus returns to where it was. */
export function Dialog({ title, on, onEscape, isLight, children, class: name }: DialogProps) {
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
            {on ? `${title}: ` : title}
            <bdi>{on}</bdi>
          </h2>
          {isLight && (
            <button type="button" class="quiet icon" aria-label="Close" onClick={onEscape}>
              <Icon of="close" />
            </button>
          )}
        </div>
        {children}
      </div>
    </dialog>
  );
}
