export const header = {
  people: 'People',
  machines: 'Machines',
  teams: 'Teams',
  activity: 'Activity',
  tokens: 'Tokens',
  attention: 'Attention',
  screens: 'Screens',
  yourAccount: 'Your account',
  administrator: 'Administrator',
  noAdministrator: 'No administrator',
  docs: 'API documentation',
  /** The other language, in its own words. */
  other: { language: 'de', name: 'Deutsch' },
};
