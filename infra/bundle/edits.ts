/**
 * Leaves a client the classes of these errors: each would otherwise be kept for being registered.
 *
 * @throws Error where the code registers none of a name, or in another way
 */
export function registering(errors: readonly string[], code: string): string {
  const registered = new Set<string>();
  const kept = code.replace(/^n0_registry\.registerError\((\w+)\$, \1\);\n/gm, (line, name: string) => {
    registered.add(name);
    return errors.includes(name) ? line : '';
  });
  const missing = errors.filter((name) => !registered.has(name));
  if (missing.length > 0) throw new Error(`No error is registered as ${missing.join(', ')}`);
  return kept;
}

interface Partition {
  readonly id: string;
  readonly regionRegex: string;
  readonly regions: Readonly<Record<string, unknown>>;
  readonly outputs: { readonly dnsSuffix: string };
}

/** Leaves a list of the partitions of AWS what tells the suffix of a region. @throws Error where it is no such list */
export function suffixesOnly(code: string): string {
  const json = /^export const partitionsInfo = (\{.*\});?\s*$/s.exec(code)?.[1];
  if (!json) throw new Error('The list of partitions is not where it was');
  const { partitions } = JSON.parse(json) as { readonly partitions: readonly Partition[] };
  const short = partitions.map(({ id, regionRegex, regions, outputs: { dnsSuffix } }) => ({
    id,
    regionRegex,
    // The others are what the expression says of them.
    regions: Object.fromEntries(
      Object.keys(regions).flatMap((name) => (new RegExp(regionRegex).test(name) ? [] : [[name, {}]])),
    ),
    outputs: { dnsSuffix },
  }));
  return `export const partitionsInfo = ${JSON.stringify({ partitions: short })};`;
}
