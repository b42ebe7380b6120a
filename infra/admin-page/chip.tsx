import type { ComponentChildren } from 'preact';
import { listing as t } from '#texts/listing';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

interface ChipProps {
  /** What it is, such as the name of a role. */
  readonly of: string;
  /** On hover, such as the username of a person. */
  readonly title?: string | undefined;
  /** Replaces the name. */
  readonly children?: ComponentChildren;
  readonly onRemove?: (() => void) | undefined;
}

/** A name or a filter; with `onRemove`, a button removes it. */
export const Chip = ({ of, title, children, onRemove }: ChipProps) => (
  <span class="chip" title={title}>
    <bdi>{children ?? of}</bdi>
    {onRemove && (
      <Button class="quiet" aria-label={t.remove(of)} onClick={onRemove}>
        <Icon of="close" />
      </Button>
    )}
  </span>
);
