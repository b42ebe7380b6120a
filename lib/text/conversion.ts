import { FALSE, MONTHS, TRUE } from './spreadsheet-words.ts';

const NUMBER = String.raw`(?:\p{Nd}+(?: \p{Nd}{3})+|\p{Nd}|[.,٫](?=\p{Nd}))[\p{Nd}.,'’٫٬]*(?:[Ee][+\-−]?\p{Nd}+)?`;

const CODES =
  'EUR|USD|GBP|CHF|JPY|CNY|SEK|NOK|DKK|PLN|CZK|HUF|RON|BGN|TRY|RUB|UAH|INR|BRL|CAD|AUD|NZD|ZAR|MXN|ILS|KRW|HKD|SGD|THB';
const CURRENCY = String.raw`(?:[A-Z]{0,3}\p{Sc}|${CODES}|kr|zł|Kč|Ft|Fr|руб)\.?`;
const SIGNS = String.raw`[+\-−()%٪ ]{0,8}`;
const AROUND = `${SIGNS}(?:${CURRENCY})?${SIGNS}`;

const TIME = String.raw`\p{Nd}+(?::\p{Nd}{1,3}){1,2}(?:[.,]\p{Nd}+)?(?: ?[AaPp]\.?(?:[Mm]\.?)?)?`;
const DATE = String.raw`(?:[MTSHR]|令和|平成|昭和)?\p{Nd}{1,4}(?: ?[-/.⁄‐-―] ?\p{Nd}{1,4}){1,2}\.?`;

const FORMS = [
  `${AROUND}${NUMBER}${AROUND}`,
  // Fractions.
  String.raw`[+\-−]?(?:\p{Nd}+ )?\p{Nd}+[/⁄]\p{Nd}+`,
  TIME,
  String.raw`\p{Nd}{1,2}(?: ?[AaPp]\.?[Mm]\.?| [AaPp])`,
  `${DATE}(?:,? ${TIME})?`,
  // Dates and times of China, Japan and Korea.
  String.raw`(?:令和|平成|昭和)?(?=\p{Nd}+ ?[年月日时時分秒년월일시분초])[\p{Nd} 年月日时時分秒년월일시분초]+`,
].map((form) => new RegExp(`^(?:${form})$`, 'u'));

/** Whether a text is a month with a day or a year, in words: `Mar 5`, `MARCH1`, `5. März 2024`, `Tue, 5 de marzo`. */
function isMonth(text: string): boolean {
  if (!/^[\p{L}\p{M}\p{Nd} /.,'’-]*$/u.test(text)) return false;
  const words = text.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? [];
  return (
    words.some((word) => MONTHS.has(word)) && words.every((word) => MONTHS.has(word) || word.length <= 3)
  );
}

/**
 * Whether a spreadsheet in some language would read a text as a number, date, time or truth value. In doubt it would: the
 * answer decides only where an apostrophe is.
 */
export function isConverted(text: string): boolean {
  const plain = text.normalize('NFKC').trim();
  if (!/\p{Nd}/u.test(plain)) return TRUE.has(plain.toLowerCase()) || FALSE.has(plain.toLowerCase());
  return FORMS.some((form) => form.test(plain)) || isMonth(plain);
}
