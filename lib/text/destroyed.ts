/** A long number as spreadsheets show it, with the decimal sign of any language: its digits are lost. */
const EXPONENT = /^[+-]?\d(?:[.,]\d+)?E\+\d{1,3}$/i;

/** A cell that is too narrow for its number, and an error of LibreOffice. */
const NARROW = /^#{2,}$/;
const NUMBERED =
  /^(?:Err|Errore?|Erreur|Erro|Fehler|Fout|Fel|Fejl|Feil|Błąd|Chyba|Hiba|Virhe|Ошибка):\d{3}$/iu;

/** Errors of spreadsheets in all languages have one of these forms: `#NAME?`, `#¡VALOR!`, `#DIV/0!`; `#N/A`, `#I/T`, `#Н/Д`; and words. */
const ERRORS = [
  /^#[¡¿]?[\p{L}\d][\p{L}\d/._ ]*[!?]$/u,
  /^#\p{L}{1,2}[/.]\p{L}{1,5}\.?$/u,
  /^#(?:NV|YOK|HIÁNYZIK|NEDOSTUPNÝ|NENÍ_K_DISPOZICI|GETTING_DATA)$/iu,
];

const FORMS = [EXPONENT, NARROW, NUMBERED, ...ERRORS];

/** Whether a text is what a spreadsheet left of another one. */
export const isDestroyed = (text: string) => {
  const shown = text.trim();
  return FORMS.some((form) => form.test(shown));
};

export const DESTROYED =
  'Is what a spreadsheet left of another value: enter it again in a column that is formatted as text, or save the file as .xlsx';
