import type { ComponentChildren } from 'preact';

interface EmptyProps {
  /** What is not there. */
  readonly title?: string;
  /** What to do about it. */
  readonly children: ComponentChildren;
  /** Links and buttons that do it. */
  readonly next?: ComponentChildren;
}

/** A place without content, with the next step. */
export const Empty = ({ title, children, next }: EmptyProps) => (
  <div class="empty">
    {title && <h3>{title}</h3>}
    <p class="faint">{children}</p>
    {next && <div class="row">{next}</div>}
  </div>
);
