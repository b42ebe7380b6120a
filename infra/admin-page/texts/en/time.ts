export const time = {
  justNow: 'just now',
  today: 'today',
  tomorrow: 'tomorrow',
  never: 'never',
  noEnd: 'no end',
};
