/** What functions ask of a service. */
export interface Use {
  /** Prefix of its endpoints. */
  readonly service: string;
  /** Errors that the code asks for by their class; all others are of the class of the client. */
  readonly errors: readonly string[];
  /** By operation, the member that the SDK makes so that it is not carried out twice. */
  readonly tokens?: Readonly<Record<string, string>>;
  /** Whether times are sent or read. */
  readonly hasTimes?: boolean;
}

/**
 * Leaves of the schemas of a client the names of its operations, and of its errors the classes that are asked for.
 *
 * @throws Error where the code names no operations, or not the errors
 */
export function operationsOnly(code: string, { errors, tokens = {}, hasTimes = false }: Use): string {
  const texts = new Map(
    [...code.matchAll(/^const (\w+) = "([^"]*)";$/gm)].map(([, name, text]) => [name, text]),
  );
  const operations = [...code.matchAll(/^export var (\w+\$) = \[9, n0, (\w+),$/gm)].map(
    ([, name, text]) =>
      `export const ${name} = /* @__PURE__ */ operation(${JSON.stringify(texts.get(text))});`,
  );
  if (operations.length === 0) throw new Error('The operations are not where they were');
  const base = /^import \{ (\w+) \} from "\.\.\/models\/\1";$/m.exec(code)?.[1];
  const missing = errors.filter((name) => !code.includes(`registerError(${name}$, ${name});`));
  if (!base) throw new Error('The class of all errors is not where it was');
  if (missing.length > 0) throw new Error(`No error is registered as ${missing.join(', ')}`);
  return [
    `import { ${base} } from "../models/${base}";`,
    ...(errors.length > 0 ? [`import { ${errors.join(', ')} } from "../models/errors";`] : []),
    // Whether it is a stream of events would be looked up in its input and its output.
    `const marker = Symbol.for('@smithy/op-event-stream');`,
    'const operation = (name) => Object.assign([9, "", name, 0, "unit", "unit"], { [marker]: false });',
    ...operations,
    `export const errorTypeRegistries = { base: ${base}, errors: [${errors.join(', ')}], tokens: ${JSON.stringify(tokens)}, hasTimes: ${hasTimes} };`,
  ].join('\n');
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

/** A variable of `marked` that holds a literal with classes of Unicode: a part that others are put together of. */
const PART = /\b(\w+)=\/((?:[^/\n\\]|\\.)*\\p\{(?:[^/\n\\]|\\.)*)\/u(?=,\w+=)/g;

/**
 * Has `marked` make its regular expressions by another function, of their source and flags, and keeps the parts that it puts
 * them together of as their sources alone.
 *
 * @param module that exports the function
 * @throws Error where they are not made where they were
 */
export function expressionsBy(name: string, module: string, code: string): string {
  const [before, after, ...others] = code
    .replace(PART, (_, part: string, source: string) => `${part}={source:${JSON.stringify(source)}}`)
    .split(/getRegex:\(\)=>new RegExp(?=\(\w+,\w+\))/);
  if (after === undefined || others.length > 0)
    throw new Error('The expressions of marked are not made where they were');
  return `import { ${name} } from ${module};\n${before}getRegex:()=>${name}${after}`;
}
