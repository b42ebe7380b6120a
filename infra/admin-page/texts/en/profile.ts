/** The values of a profile, which are edited in their places. */
export const profile = {
  team: 'Default team',
  app: 'Default application',
  appHint: 'Events about the account name this application.',
  none: 'none',
  saved: (label: string) => `${label} saved`,
  savedOf: (label: string, username: string) => `${label} of ${username} saved`,
  /** A label within a list. */
  inList: (label: string) => label.toLowerCase(),
};
