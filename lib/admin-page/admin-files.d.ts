/** The built files of `infra/admin-page`, which `infra/bundle/admin-page.ts` inserts: each with a name that has its hash. */
declare module 'admin:files' {
  interface BuiltFile {
    readonly name: string;
    readonly type: string;
    /** gzip, in base64. */
    readonly content: string;
  }
  /** What the page loads at once in a language: its script, and the parts that this imports. */
  interface Scripts {
    readonly script: string;
    readonly parts: readonly string[];
  }
  export const files: readonly BuiltFile[];
  export const style: string;
  /** By the languages of the page. */
  export const scripts: Readonly<Record<import('./languages.ts').Language, Scripts>>;
}
