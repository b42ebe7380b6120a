/**
 * Replaces an export that no function reaches: calling it, or using an instance of it, throws its name. Constructing it is
 * allowed, since packages construct objects that they never use.
 */
export function unreachable(name: string): unknown {
  const fail = () => {
    throw new Error(`${name} is not in this bundle`);
  };
  return new Proxy(class {}, {
    apply: fail,
    construct: () => new Proxy({}, { get: fail, set: fail }),
  });
}
