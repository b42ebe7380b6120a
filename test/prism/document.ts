type Operation = { readonly security?: readonly object[] };

/**
 * The document as Prism is to read it: its operations tell two of the five ways to present a credential, so that no
 * generated client puts one into a URL, and take all five, which the document tells as a whole.
 */
export function withEveryCredential(text: string): string {
  const document = JSON.parse(text) as {
    readonly security: readonly object[];
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  };
  for (const path of Object.values(document.paths))
    for (const operation of Object.values(path))
      if (operation.security?.length) Object.assign(operation, { security: document.security });
  return JSON.stringify(document);
}
