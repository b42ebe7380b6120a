import type * as z from 'zod/mini';

/** Texts about a schema in the OpenAPI document. No bundle of a function contains them. */
export interface SchemaTexts {
  /** Name in the document; a schema without a name is part of those that contain it. */
  readonly name?: string;
  /** The schema of a {@link name}, if it is not the body or the response of an endpoint. */
  readonly schema?: () => z.ZodMiniType;
  /** Descriptions of fields, at any depth outside of named schemas. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Texts about the schemas that it extends or contains, for the fields that it does not describe itself. */
  readonly parts?: readonly SchemaTexts[];
}

/** Description of a parameter. */
export type ParameterText =
  | string
  | {
      readonly description: string;
      readonly example?: unknown;
      /** JSON Schema of the value, if clients write the text of the parameter as another value. */
      readonly schema?: Readonly<Record<string, unknown>>;
    };

/** Groups of operations in the OpenAPI document. */
export type Tag =
  | 'Sessions'
  | 'Passkeys'
  | 'Tokens'
  | 'Machines'
  | 'Accounts'
  | 'Audit'
  | 'System'
  | 'Events'
  | 'Documentation';

/**
 * Texts about an endpoint, exported next to its contract. Parameters, fields and headers that many endpoints have are
 * described in `infra/openapi/texts`.
 */
export interface Texts {
  /** Markdown, by sentences or as a whole; by default the summary of the contract. */
  readonly description?: string | readonly string[];
  /** By default the one of its noun. */
  readonly tag?: Tag;
  readonly params?: Readonly<Record<string, ParameterText>>;
  readonly query?: Readonly<Record<string, ParameterText>>;
  readonly body?: SchemaTexts;
  readonly response?: SchemaTexts;
  /** Names of response headers that the contract does not set. */
  readonly headers?: readonly string[];
}
