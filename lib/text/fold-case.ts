/** Lower-cases ASCII only, as in usernames and short names: look-alikes such as the Kelvin sign stay different. */
export const foldCase = (name: string) => name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
