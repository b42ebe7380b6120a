/** The built files of `infra/admin-page`, which `infra/bundle/admin-page.ts` inserts: each with a name that has its hash. */
declare module 'admin:files' {
  interface BuiltFile {
    readonly name: string;
    readonly type: string;
    /** gzip, in base64. */
    readonly content: string;
  }
  export const files: readonly BuiltFile[];
  /** Names of the files that the page loads at once: its script, the parts that this imports, its style. */
  export const page: { readonly script: string; readonly parts: readonly string[]; readonly style: string };
}
