/** Characters that nobody sees around a text, as phones, chats, spreadsheets and web pages add them. */
export const UNSEEN: Readonly<Record<string, string>> = {
  'a space': ' ',
  'a tab': '\t',
  'a line break': '\r\n',
  'a next line': '\u0085',
  'a no-break space': '\u00a0',
  'a soft hyphen': '\u00ad',
  'a combining grapheme joiner': '\u034f',
  'an Arabic letter mark': '\u061c',
  'an em space': '\u2003',
  'a zero-width space': '\u200b',
  'a zero-width non-joiner': '\u200c',
  'a zero-width joiner': '\u200d',
  'a left-to-right mark': '\u200e',
  'a right-to-left mark': '\u200f',
  'a line separator': '\u2028',
  'a right-to-left override': '\u202e',
  'a narrow no-break space': '\u202f',
  'a word joiner': '\u2060',
  'a first-strong isolate': '\u2068',
  'its end': '\u2069',
  'an ideographic space': '\u3000',
  'a Hangul filler': '\u3164',
  'a variation selector': '\ufe0f',
  'a byte order mark': '\ufeff',
  'a tag': '\u{e0020}',
};

/** A text between all of them. */
export const surrounded = (text: string) => {
  const all = Object.values(UNSEEN).join('');
  return `${all}${text}${all}`;
};
