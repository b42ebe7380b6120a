interface IconProps {
  /** A glyph of `icons.css`. */
  readonly of: 'search' | 'close' | 'more' | 'edit' | 'done' | 'copy';
}

/** A decoration: its button or link has a text of its own. */
export const Icon = ({ of }: IconProps) => <span class={`glyph glyph-${of}`} aria-hidden="true" />;
