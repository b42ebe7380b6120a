/** The built files of `lib/admin-page/page`, which `infra/bundle/admin-page.ts` inserts: each with a name that has its hash. */
declare module 'admin:files' {
  interface BuiltFile {
    readonly name: string;
    readonly type: string;
    /** gzip, in base64. */
    readonly content: string;
  }
  export const script: BuiltFile;
  export const style: BuiltFile;
}
