/** The codes by which people prove who they are: six digits of an authenticator app, or a recovery code. */

const ARABIC_ZERO = 0x660
const PERSIAN_ZERO = 0x6f0
const latin = (text: string) =>
  text
    .replace(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - ARABIC_ZERO))
    .replace(/[\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) - PERSIAN_ZERO))

export type Code = { code: string } | { recoveryCode: string }

/** The code in a typed text, of either kind; undefined if the text is neither. */
export function codeIn(typed: string): Code | undefined {
  const text = latin(typed).replace(/[\s\p{Pd}\p{DI}\u2212]/gu, '')
  if (/^\d{6}$/.test(text)) return { code: text }
  return /^[0-9a-z]{16}$/i.test(text) ? { recoveryCode: text.toUpperCase() } : undefined
}
