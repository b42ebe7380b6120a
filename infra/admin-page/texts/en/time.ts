export const time = {
  justNow: 'just now',
  today: 'today',
  tomorrow: 'tomorrow',
  at: (day: string, clock: string) => `${day} ${clock}`,
  never: 'never',
  noEnd: 'no end',
};
