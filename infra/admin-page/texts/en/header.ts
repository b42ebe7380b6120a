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
  logOut: 'Log out',
  logOutText: 'All of your sessions end, also those on other devices. API tokens stay valid.',
  /** The other language, in its own words. */
  other: { language: 'de', name: 'Deutsch' },
};
