import { join } from 'node:path';
import { API, type Checker, NodeBuilderFlags, type Type } from 'typescript/unstable/sync';
import { methodName } from '#lib/client/method-name';
import { contracts } from '#lib/routes';
import { ROOT } from '../bundle.ts';
import type { Described } from './described.ts';
import { namedTypes } from './named-types.ts';

/** The types of an operation in {@link Described}, as text. */
type Texts = Record<keyof Described[keyof Described], string>;

/**
 * The declarations of the client's methods, which replace those of `lib/client/methods.ts`. Every type is written out, so
 * that compiling against them needs neither the contracts nor zod.
 */
export function methodDeclarations(): string {
  const api = new API({ cwd: ROOT });
  try {
    const project = api.updateSnapshot({ openProject: join(ROOT, 'tsconfig.json') }).getProjects()[0];
    const file = join(ROOT, 'infra/client/described.ts');
    const at = project?.program.getSourceFile(file)?.text.indexOf('Described =') ?? -1;
    const symbol = project?.checker.getSymbolAtPosition(file, at);
    if (!project || !symbol) throw new Error(`${file} declares no Described`);
    const { checker } = project;
    const described = propertiesOf(checker, checker.getDeclaredTypeOfSymbol(symbol));
    const texts = described.map(([id, operation]) => [id, textsOf(checker, operation)] as const);
    const parts = described.flatMap(([, operation]) =>
      propertiesOf(checker, operation).map(([, type]) => type),
    );
    return written(new Map(texts), namedTypes(checker, parts));
  } finally {
    api.close();
  }
}

const propertiesOf = (checker: Checker, type: Type) =>
  checker.getPropertiesOfType(type).map((property): [string, Type] => {
    const its = checker.getTypeOfSymbol(property);
    if (!its) throw new Error(`${property.name} has no type`);
    return [property.name, its];
  });

const { InTypeAlias, MultilineObjectLiterals, NoTruncation, UseSingleQuotesForStringLiteralType } =
  NodeBuilderFlags;
const FLAGS = InTypeAlias | MultilineObjectLiterals | NoTruncation | UseSingleQuotesForStringLiteralType;

function textsOf(checker: Checker, operation: Type): Texts {
  const texts = propertiesOf(checker, operation).map(([name, type]) => [
    name,
    checker.typeToString(type, undefined, FLAGS),
  ]);
  return Object.fromEntries(texts);
}

function written(operations: ReadonlyMap<string, Texts>, named: readonly string[]): string {
  const nouns = Map.groupBy(
    contracts.filter(({ forPeople }) => !forPeople),
    ({ id }) => id.split('.')[0] ?? '',
  );
  const members = [...nouns].map(([noun, its]) => {
    const methods = its.map(
      ({ id, summary }) => `    /** ${summary}. */\n    ${methodName(id)}${signature(operations.get(id))};\n`,
    );
    return `  readonly ${noun}: {\n${methods.join('')}  };\n`;
  });
  return `import type { Listing } from './listing.js';
import type { RequestOptions, TokenSource } from './options.js';
${named.map((text) => `${text}\n`).join('')}export interface Client extends TokenSource {
${members.join('')}}
`;
}

function signature(texts: Texts | undefined): string {
  if (!texts) throw new Error('Described lacks an operation');
  const { input, isOptional, headers, output, isListing } = texts;
  const options = headers === '{}' ? 'RequestOptions' : `RequestOptions & ${headers}`;
  const answer = isListing === 'true' ? 'Listing' : 'Promise';
  return `(input${isOptional === 'true' ? '?' : ''}: ${input}, options?: ${options}): ${answer}<${output}>`;
}
