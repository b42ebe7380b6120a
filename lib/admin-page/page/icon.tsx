/** Outlines on a square of 16. */
const PATHS = {
  search: 'M11 11l3.5 3.5M7 12.5a5.5 5.5 0 1 1 0-11 5.5 5.5 0 0 1 0 11Z',
  close: 'M4 4l8 8M12 4l-8 8',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  down: 'M4 6l4 4 4-4',
  edit: 'M10.5 3l2.5 2.5L6 12.5l-3 .5.5-3L10.5 3Z',
  done: 'M3 8.5l3.5 3.5L13 4.5',
  copy: 'M6 6h7v7H6zM3 10V3h7',
} as const;

/** A decoration: its button or link has a text of its own. */
export const Icon = ({ of }: { readonly of: keyof typeof PATHS }) => (
  <svg viewBox="0 0 16 16" aria-hidden="true">
    <path d={PATHS[of]} />
  </svg>
);
