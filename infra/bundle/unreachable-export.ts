/**
 * Takes the place of an export that no function reaches: calling it, or using an instance of it, throws its name.
 * Constructing it is allowed, since packages construct what they never use.
 */
export function unreachable(name: string): unknown {
  const fail = () => {
    throw new Error(`${name} is not in this bundle`);
  };
  return new Proxy(class {}, {
    apply: fail,
    construct: () => new Proxy({}, { get: fail, set: fail }),
    // The exports of a CommonJS module, which esbuild asks whether it was an ES module.
    get: (target, key) =>
      typeof key === 'symbol' || key === '__esModule' || key in target
        ? Reflect.get(target, key)
        : unreachable(`${key} of ${name}`),
  });
}
