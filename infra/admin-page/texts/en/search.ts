/** The search of people, and fields with a list. */
export const search = {
  findPerson: 'Find a person',
  nameOrUsername: 'Name or username',
  typePart: 'Type a part of a name or username.',
  searching: 'Searching…',
  noOne: 'No one matches.',
  pickOrClear: 'Pick an entry of the list, or clear the field.',
  create: (kind: string, name: string) => `Create the ${kind} “${name}”`,
  checkSpelling: 'New: it is not among the names in use. Check its spelling.',
  isNew: (name: string, kind: string) => `${name} (new ${kind})`,
  noMatch: (label: string, text: string) => `No ${label.toLowerCase()} match “${text}”.`,
};
