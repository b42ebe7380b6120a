import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ActDialog, type Action } from './act.tsx';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

/** A link of a menu. */
interface Link {
  readonly label: string;
  readonly href: string;
  /** Language of its label, if it is another one. */
  readonly lang?: string;
  /** Whether a line is before it. */
  readonly isApart?: boolean;
}

interface MenuProps extends Pick<Action, 'on' | 'after'> {
  /** Name of its button. */
  readonly label: string;
  /** Links, then actions; a line separates the dangerous ones, which are last. */
  readonly of: readonly (Link | Action)[];
  /** Whether it leads to the screen that is shown. */
  readonly isCurrent?: boolean;
  /** Replaces the icon of its button. */
  readonly button?: ComponentChildren;
  /** A text above its items. */
  readonly children?: ComponentChildren;
}

const isLink = (item: Link | Action): item is Link => 'href' in item;

const isDangerous = (item: Link | Action | undefined) => item && !isLink(item) && item.isDangerous;

/** Whether a line is before an item: it begins the dangerous ones, or the actions after links, or says so itself. */
const isApart = (item: Link | Action, before: Link | Action | undefined) =>
  before !== undefined &&
  (isLink(item) ? item.isApart : isLink(before) || (isDangerous(item) && !isDangerous(before)));

/** How far a key moves the focus in a list of `length` from `at`. */
const MOVES: Readonly<Record<string, (at: number, length: number) => number>> = {
  ArrowDown: (at, length) => (at + 1) % length,
  ArrowUp: (at, length) => (at + length - 1) % length,
  Home: () => 0,
  End: (_, length) => length - 1,
};

/** A button that opens a list of links and actions; arrows move in it, Escape closes it. */
export function Menu({ label, of, button, isCurrent, children, ...rest }: MenuProps) {
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [acting, setActing] = useState<Action>();
  const items = () => [...(root.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
  useLayoutEffect(() => {
    if (isOpen) items()[0]?.focus();
  }, [isOpen]);
  const close = () => {
    setOpen(false);
    root.current?.querySelector('button')?.focus();
  };
  const press = (event: KeyboardEvent) => {
    if (!isOpen) return;
    const all = items();
    const to = MOVES[event.key]?.(all.indexOf(document.activeElement as HTMLElement), all.length);
    if (event.key === 'Escape') close();
    if (to !== undefined) all[to]?.focus();
    if (event.key === 'Escape' || to !== undefined) event.preventDefault();
  };
  const leave = ({ relatedTarget }: FocusEvent) => {
    if (!root.current?.contains(relatedTarget as Node | null)) setOpen(false);
  };
  const due = of.filter((item) => isLink(item) || item.isDue !== false);
  if (due.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its button and its items have the roles
    <div class="menu" ref={root} onKeyDown={press} onFocusOut={leave}>
      <Button
        class="quiet icon"
        aria-label={label}
        aria-haspopup="menu"
        aria-current={isCurrent ? 'true' : undefined}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        {button ?? <Icon of="more" />}
      </Button>
      {isOpen && (
        <div role="presentation" class="menu-list">
          {children}
          <div role="menu" id={id} aria-label={label}>
            {due.map((item, index) => [
              isApart(item, due[index - 1]) && <hr key="line" />,
              isLink(item) ? (
                <a
                  key={item.label}
                  role="menuitem"
                  tabIndex={-1}
                  href={item.href}
                  lang={item.lang}
                  onClick={close}
                >
                  {item.label}
                </a>
              ) : (
                <button
                  key={item.label}
                  type="button"
                  role="menuitem"
                  tabIndex={-1}
                  class={item.isDangerous ? 'danger' : undefined}
                  onClick={() => {
                    close();
                    setActing(item);
                  }}
                >
                  {item.label}
                </button>
              ),
            ])}
          </div>
        </div>
      )}
      {acting && <ActDialog {...rest} {...acting} onClose={() => setActing(undefined)} />}
    </div>
  );
}
