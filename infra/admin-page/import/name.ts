import type { NewField } from '#lib/account/file/columns';

/** A property that a column of an import sets. */
export type Name = NewField | 'user_properties';
