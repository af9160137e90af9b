/** The reader of a page: their language and their search query. */

export type Language = 'ar' | 'en'
const locales = { ar: 'ar-SA-u-ca-gregory-nu-latn', en: 'en-GB' }

export const readerOf = (language: Language, query: string) => ({
  language,
  query,
  /** The part of `العربية | English` in the reader's language; a text without the bar is the same in both. */
  say(text: string) {
    const [ar, en = ar] = text.split(' | ') as [string, string?]
    return language === 'ar' ? ar : en
  },
  date: (options: Intl.DateTimeFormatOptions, at: Date) => new Intl.DateTimeFormat(locales[language], options).format(at),
  number: (options: Intl.NumberFormatOptions, value: number) => new Intl.NumberFormat(locales[language], options).format(value),
})
export type Reader = ReturnType<typeof readerOf>
