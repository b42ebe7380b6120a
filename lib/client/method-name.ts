/** Name of the method of an operation: `profileUpdate` for `account.profile-update`. */
export const methodName = (id: string) =>
  id.replace(/^\w+\./, '').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
