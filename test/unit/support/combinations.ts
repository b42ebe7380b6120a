/** Every choice of the properties of an object: 2 to the power of their number. */
export const combinationsOf = <T extends object>(all: T): Partial<T>[] =>
  Object.entries(all).reduce<Partial<T>[]>(
    (some, [name, value]) => some.flatMap((one) => [one, { ...one, [name]: value }]),
    [{}],
  );
