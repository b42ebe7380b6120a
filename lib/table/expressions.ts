/** Placeholders for the names and values of attributes; undefined attributes are listed as absent. */
function placeholders(prefix: string, attributes: object) {
  const entries: [string, unknown][] = Object.entries(attributes);
  const given = entries.filter(([, value]) => value !== undefined);
  return {
    equations: given.map(([name]) => `#${name} = :${prefix}_${name}`),
    absent: entries.flatMap(([name, value]) => (value === undefined ? [`#${name}`] : [])),
    names: Object.fromEntries(entries.map(([name]) => [`#${name}`, name])),
    values: Object.fromEntries(given.map(([name, value]) => [`:${prefix}_${name}`, value])),
  };
}

/** The condition that attributes have the expected values; undefined means a missing attribute. */
export function expecting(expected: object) {
  const { equations, absent, names, values } = placeholders('is', expected);
  return {
    ConditionExpression: [...equations, ...absent.map((name) => `attribute_not_exists(${name})`)].join(
      ' AND ',
    ),
    ExpressionAttributeNames: names,
    // DynamoDB rejects an empty map.
    ...(equations.length > 0 ? { ExpressionAttributeValues: values } : {}),
  };
}

/** An update that sets attributes and removes undefined ones, on condition that others have the expected values, if any. */
export function assign(attributes: object, expected: object) {
  const { equations, absent, names, values } = placeholders('to', attributes);
  // DynamoDB rejects an empty condition, and an empty map.
  const condition = Object.keys(expected).length > 0 ? expecting(expected) : undefined;
  const all = { ...values, ...condition?.ExpressionAttributeValues };
  return {
    ...condition,
    UpdateExpression: [
      ...(equations.length > 0 ? [`SET ${equations.join(', ')}`] : []),
      ...(absent.length > 0 ? [`REMOVE ${absent.join(', ')}`] : []),
    ].join(' '),
    ExpressionAttributeNames: { ...names, ...condition?.ExpressionAttributeNames },
    ...(Object.keys(all).length > 0 ? { ExpressionAttributeValues: all } : {}),
  };
}

/** Only these attributes of the items that are read. */
export const projection = (attributes: readonly string[]) => ({
  ProjectionExpression: attributes.map((_, n) => `#${n}`).join(', '),
  ExpressionAttributeNames: Object.fromEntries(attributes.map((name, n) => [`#${n}`, name])),
});
