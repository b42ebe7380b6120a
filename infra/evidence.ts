/** What a run of `npm run test:stack -- --evidence` has shown of the stack. */
export interface Evidence {
  readonly date: string;
  readonly commit: string;
  /** Whether the working tree had changes. */
  readonly isDirty: boolean;
  readonly emulator: string;
  readonly seconds: number;
  /** Number of tests, which all have passed. */
  readonly tests: number;
  /** Number of resources by type. */
  readonly resources: Readonly<Record<string, { readonly created: number; readonly leftOut: number }>>;
  /** Number of times that each of the triggers was seen, by name. */
  readonly triggers: Readonly<Record<string, number>>;
  readonly functions: Readonly<Record<string, FunctionEvidence>>;
  /** The lowest exit status of each operator command; null if it did not run. */
  readonly commands: Readonly<Record<string, number | null>>;
}

interface FunctionEvidence {
  readonly hasRun: boolean;
  /** Number of calls of AWS. */
  readonly calls: number;
  /** Number of grants. */
  readonly granted: number;
  /** Grants that no call has needed. */
  readonly unseen: readonly string[];
}
