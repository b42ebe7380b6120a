/** What readers of files and the checks of this page say, by kind: each group is an argument of its text. */
export const KINDS = {
  encoding: /^Is not UTF-8/,
  repeats: /^Repeats line (\d+)$/,
  cells: /^Must have as many cells as the line that names the columns$/,
  unnamed: /^Is in a column without a name$/,
  destroyed: /^Is what a spreadsheet left of another value/,
  twice: /^“(.+)” sets (\w+), as column (\d+) does: delete one of them$/,
  unknownColumn: /^“(.+)” is not a column of an import$/,
  noColumn: /^Is not a column of an import$/,
  noHead: /^Must name the columns in the first row/,
  noNames: /^Must name the columns$/,
  known: /^The columns of an import are (.+)$/,
  quotes: /^Must have quotation marks around a whole cell/,
  openQuote: /^Has a quotation mark that is not closed$/,
  csv: /^Must be CSV \((\w+)\)$/,
  noProperty: /^Is not a property of an account$/,
  json: /^Must be JSON: see column (\d+)$/,
  oldWorkbook: /^Is a workbook with a password or of an older format/,
  noWorkbook: /^Is no workbook of the format/,
  brokenWorkbook: /^Is a workbook that cannot be read/,
  largeWorkbook: /^Is a workbook of more than (\d+) MB/,
  cancelled: /^Only the operator command can import cancelled accounts$/,
  locked: /^Only the operator command can import locked accounts$/,
  field: /^Only the operator command can import this field$/,
  example: /^Is the example of the template/,
} as const satisfies Readonly<Record<string, RegExp>>;

export type ImportFault = keyof typeof KINDS;
