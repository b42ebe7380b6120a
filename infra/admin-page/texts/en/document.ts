export const document = {
  print: 'Print or save as PDF',
  close: 'Close',
  never: 'never',
};
