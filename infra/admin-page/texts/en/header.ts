export const header = {
  people: 'People',
  machines: 'Machines',
  teams: 'Teams',
  activity: 'Activity',
  events: 'Events',
  tokens: 'Tokens',
  attention: 'Attention',
};
