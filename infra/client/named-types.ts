import type { Node } from 'typescript/unstable/ast';
import { isIdentifier } from 'typescript/unstable/ast/is';
import { type Checker, type Symbol as Named, SymbolFlags, type Type } from 'typescript/unstable/sync';
import { ROOT } from '../bundle.ts';

/**
 * Declarations of the types of this project that the compiler names where it writes out others: interfaces, and aliases
 * without parameters, since a recursive one has no end.
 */
export function namedTypes(checker: Checker, types: readonly Type[]): string[] {
  const declared = new Map<number, string>();
  const declare = (symbol: Named) => {
    const node = symbol.declarations[0]?.resolve();
    if (!node || declared.has(symbol.id)) return;
    declared.set(symbol.id, node.getText());
    for (const used of typesIn(checker, node)) declare(used);
  };
  const seen = new Set<number>();
  const visit = (type: Type) => {
    if (seen.has(type.id)) return;
    seen.add(type.id);
    const alias = type.getAliasTypeArguments().length === 0 ? type.getAliasSymbol() : undefined;
    const symbol = alias ?? (type.isClassOrInterface() ? type.getSymbol() : undefined);
    if (symbol && isOwn(symbol)) declare(symbol);
    else partsOf(checker, type).forEach(visit);
  };
  types.forEach(visit);
  return [...declared.values()];
}

const isOwn = ({ declarations }: Named) =>
  declarations.some(({ path }) => path.startsWith(ROOT) && !path.includes('/node_modules/'));

/** Types of this project in a declaration. */
function typesIn(checker: Checker, node: Node): Named[] {
  const found: Named[] = [];
  const visit = (each: Node) => {
    const symbol = isIdentifier(each) ? checker.getSymbolAtLocation(each) : undefined;
    const its = symbol && symbol.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    if (its && its.flags & SymbolFlags.Type && isOwn(its)) found.push(its);
    each.forEachChild(visit);
  };
  visit(node);
  return found;
}

/** The types that a type consists of. */
function partsOf(checker: Checker, type: Type): readonly Type[] {
  if (type.isUnionType() || type.isIntersectionType()) return type.getTypes();
  if (type.isTypeReference() && !type.isClassOrInterface()) return checker.getTypeArguments(type);
  if (!type.isObjectType()) return [];
  const properties = checker.getPropertiesOfType(type).map((property) => checker.getTypeOfSymbol(property));
  const values = checker.getIndexInfosOfType(type).map(({ valueType }) => valueType);
  return [...properties, ...values].filter((part) => part !== undefined);
}
