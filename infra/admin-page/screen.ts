import type { FunctionComponent } from 'preact';

/** A screen of the page: its address is `#<id>`. */
export interface Screen {
  readonly id: string;
  /** Its link in the navigation; by default the navigation has none. */
  readonly link?: string;
  /** A number after its link. */
  readonly Count?: FunctionComponent;
  /** ID of the screen whose link is marked while this one is shown; by default its own. */
  readonly section?: string;
  readonly View: FunctionComponent;
}
