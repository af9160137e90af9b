/** How an environment variable is described and read; `config.ts` lists the variables. */

/** The error for an invalid variable: one line with its name, the value and what it takes. Secret values are not shown. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

export interface Variable<T> {
  /** A description of valid values, for people. */
  takes: string
  /** The value, or undefined when the text is invalid. */
  read(text: string): T | undefined
  secret?: boolean
}

export const variable = <T>(takes: string, read: (text: string) => T | undefined): Variable<T> => ({ takes, read })
export const secret = <T>(takes: string, read: (text: string) => T | undefined): Variable<T> => ({ takes, read, secret: true })

export const wholeNumber = (least: number, most: number) =>
  variable(`a whole number from ${least} to ${most}`, (text) => {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : -1
    return number >= least && number <= most ? number : undefined
  })

export const matching = (pattern: RegExp) => (text: string) => (pattern.test(text) ? text : undefined)

export const oneOf = <const T extends string>(...choices: T[]) =>
  variable(choices.join(', ').replace(/, ([^,]*)$/, ' or $1'), (text) => choices.find((choice) => choice === text))

export function readUrl(text: string, ...protocols: string[]) {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url && protocols.includes(url.protocol) ? url : undefined
}

/** A value quoted on one line, shortened, without the credentials of a URL, and with invisible characters escaped. */
export function show(text: string) {
  const shown = JSON.stringify(text.replace(/\/\/[^/\s]*@/g, '//…@').slice(0, 100))
  const invisible = /[\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/gu
  return shown.replace(invisible, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`)
}
