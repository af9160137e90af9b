/** The rules for new passwords: not too short and, with PASSWORD_POLICY=strict, neither common nor one's own name. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Config } from '../config.ts'
import { refuseField } from '../errors/refusal.ts'

/** The Latin key for each letter of the common Arabic keyboard. A common password is still common when it is typed on the wrong layout. */
const ARABIC_KEYS: Record<string, string> = Object.fromEntries([
  ...pairs('ضصثقفغعهخحجد', 'qwertyuiop[]'),
  ...pairs('شسيبلاتنمكط', "asdfghjkl;'"),
  ...pairs('ئءؤرىةوزظ', 'zxcvnm,./'),
  ['ذ', '`'],
])
function pairs(some: string, others: string) {
  const keys = [...others]
  return [...some].map((letter, index) => [letter, keys[index]!] as const)
}

/** A password as the list spells it: in lower case, with ASCII digits. */
const fold = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[٠-٩۰-۹]/g, (digit) => String(digit.codePointAt(0)! & 15))

/** This many times in a text, `لا` is read both as its own key and as the two keys of its letters; after that, as its own key. */
const MOST_AMBIGUOUS = 5

/** What an Arabic text may spell on a Latin keyboard. */
function onLatinKeys(folded: string) {
  const [first, ...others] = folded
    .split('لا')
    .map((part) => part.replace(/\p{Script=Arabic}/gu, (letter) => ARABIC_KEYS[letter] ?? letter))
  return others.reduce(
    (starts, part, index) => starts.flatMap((start) => (index < MOST_AMBIGUOUS ? ['b', 'gh'] : ['b']).map((keys) => start + keys + part)),
    [first!],
  )
}

/** A common password with at most this many characters around it is still common. */
const MOST_ADDED = 6

/** A password, and the passwords that it may extend, by repeating them or by adding some digits and signs around them. */
function basesOf(password: string) {
  const written = fold(password)
  return new Set(
    [written, ...onLatinKeys(written)].flatMap((text) => {
      const unit = /^(.+?)\1+$/su.exec(text)?.[1] ?? text
      const bare = unit.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
      const digits = unit.replace(/\D/g, '')
      return [text, unit, ...(unit.length - bare.length <= MOST_ADDED ? [bare] : []), ...(unit.length - digits.length <= 2 ? [digits] : [])]
    }),
  )
}

/** The list of common passwords, as the text of a JSON array. It is not cached, since passwords are rarely chosen. */
const readCommon = () => readFile(fileURLToPath(import.meta.resolve('@zxcvbn-ts/language-common/src/passwords.json')), 'utf8')

/** Whether a password is one of 49,000 common ones, typed on a Latin or an Arabic keyboard, or slightly extends one. */
export async function isCommon(password: string) {
  const common = await readCommon()
  return [...basesOf(password)].some((base) => base !== '' && common.includes(JSON.stringify(base)))
}

/** Shorter names are ignored, because they occur within words. */
const LEAST_NAME = 4

/** Whether the password contains one of these names: of the person, their e-mail address, or the portal. */
export function containsName(password: string, names: readonly (string | null | undefined)[]) {
  const text = fold(password).replace(/\s/g, '')
  return names
    .flatMap((name) => (name ? [name, name.replace(/@.*$/s, ''), ...name.split(/\s+/)] : []))
    .map((name) => fold(name).replace(/\s/g, ''))
    .some((name) => [...name].length >= LEAST_NAME && text.includes(name))
}

type Policy = Pick<Config, 'passwordMinLength' | 'passwordPolicy'>

/** Refuses `validation_failed` for a password that the policy does not allow. `names` is called only for the policy `strict`. */
export async function checkNewPassword(
  password: string,
  { passwordMinLength, passwordPolicy }: Policy,
  names: () => Promise<readonly (string | null | undefined)[]>,
  field = 'password',
) {
  if ([...password].length < passwordMinLength) refuseField(field, 'minLength', { limit: passwordMinLength })
  if (passwordPolicy === 'length') return
  if (containsName(password, await names())) refuseField(field, 'ownName')
  if (await isCommon(password)) refuseField(field, 'commonPassword')
}
