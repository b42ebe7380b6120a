/** The names in texts, in lower case: each text, its parts, and the text without what separates them. */
export const namesIn = (texts: readonly string[]): string[] =>
  texts
    .map((text) => text.normalize('NFKC').toLowerCase())
    .flatMap((text) => {
      const parts = text.split(/[^\p{L}\p{N}]+/u);
      return [text, ...parts, parts.join('')];
    })
    .filter(Boolean);
