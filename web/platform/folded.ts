const marks =
  /[\u0610-\u061A\u064B-\u065F\u0670\u06D6-\u06DC\u06DF-\u06E8\u06EA-\u06ED\u08D3-\u08FF\u0640\u061C\u200B-\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/g
const from = 'أإآٱٲٳىیېۍےئکڪګگةۃۀہھە٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹'
const to = 'اااااايييييئكككگهههههه01234567890123456789'
const letters = new Map(Array.from(from, (letter, index) => [letter, to[index]!]))
const folding = new RegExp(`[${from}]`, 'g')

/** Folds a text for searching, as `portal_fold` on the server: no case, Arabic marks or tatweel, one form of each letter and digit. */
export const folded = (text: string) =>
  text
    .normalize('NFKC')
    .replace(marks, '')
    .replace(folding, (letter) => letters.get(letter)!)
    .toLowerCase()

/** Whether any of the texts contains the typed text. */
export const matches = (typed: string, ...texts: (string | null | undefined)[]) => {
  const wanted = folded(typed).trim()
  return wanted === '' || texts.some((text) => text && folded(text).includes(wanted))
}

/** The whole number that somebody has typed, in Latin or Arabic digits; undefined for any other text. */
export function wholeNumber(typed: string) {
  const digits = folded(typed).trim()
  return /^\d+$/.test(digits) ? Number(digits) : undefined
}
