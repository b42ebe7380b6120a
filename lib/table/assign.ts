/**
 * The expressions of an update that sets attributes on condition that others are as expected. Undefined
 * stands for an absent attribute on both sides: it is removed, or must not be there.
 */
export function assign(attributes: object, expected: object) {
  const names: Record<string, string> = {};
  const values: Record<string, unknown> = {};
  const nameOf = (attribute: string) => {
    names[`#${attribute}`] = attribute;
    return `#${attribute}`;
  };
  const equation = (prefix: string, attribute: string, value: unknown) => {
    values[`:${prefix}_${attribute}`] = value;
    return `${nameOf(attribute)} = :${prefix}_${attribute}`;
  };

  const set: string[] = [];
  const remove: string[] = [];
  for (const [attribute, value] of Object.entries(attributes))
    if (value === undefined) remove.push(nameOf(attribute));
    else set.push(equation('to', attribute, value));
  const conditions = Object.entries(expected).map(([attribute, value]) =>
    value === undefined ? `attribute_not_exists(${nameOf(attribute)})` : equation('is', attribute, value),
  );

  return {
    UpdateExpression: [
      ...(set.length > 0 ? [`SET ${set.join(', ')}`] : []),
      ...(remove.length > 0 ? [`REMOVE ${remove.join(', ')}`] : []),
    ].join(' '),
    ConditionExpression: conditions.join(' AND '),
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
  };
}
