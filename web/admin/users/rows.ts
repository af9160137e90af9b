/** The rows of a file, checked before they are sent. */
import { folded } from '../../platform/folded.ts'
import { usernameOf } from '../shared/invitations.ts'
import { type LanguageCode, languageIn, placesIn } from './csv.ts'

interface Group {
  id: number
  name: string
  descriptionAr: string | null
  descriptionEn: string | null
}

export interface Row {
  /** The line in the file; the header is line 1. */
  line: number
  username: string
  email: string
  displayNameAr: string
  displayNameEn: string
  preferredLanguage: LanguageCode | undefined
  groupIds: number[]
  fault: Fault | undefined
}
type Fault = { code: 'email' | 'username' | 'language' | 'twice' | 'known' } | { code: 'group'; name: string }

const EMAIL = /^[^\s@<>()[\],;:"\\]+@[^\s@<>()[\],;:"\\]+$/
const USERNAME = /^[\p{L}\p{M}\p{N}._-]+$/u

/** The rows of a table that begins with a header; undefined if no column is the e-mail address. */
export function readRows(table: readonly string[][], groups: readonly Group[]): Row[] | undefined {
  const [head = [], ...body] = table
  const places = placesIn(head)
  if (places.email === undefined) return undefined
  const groupOf = (name: string) => {
    const sought = folded(name)
    return groups.find(({ name, descriptionAr, descriptionEn }) =>
      [name, descriptionAr, descriptionEn].some((one) => one && folded(one) === sought),
    )
  }
  const seen = new Set<string>()
  const isTwice = (...keys: string[]) => {
    const isKnown = keys.some((key) => seen.has(key))
    for (const key of keys) seen.add(key)
    return isKnown
  }
  return body.map((cells, index) => {
    const cell = (name: keyof typeof places) => (places[name] === undefined ? '' : (cells[places[name]] ?? '').trim())
    const email = cell('email')
    const username = cell('username') || usernameOf(email)
    const names = cell('groups')
      .split(/[;|،\n]/)
      .map((name) => name.trim())
      .filter(Boolean)
    const found = names.map(groupOf)
    const unknown = names[found.indexOf(undefined)]
    const written = cell('preferredLanguage')
    const preferredLanguage = languageIn(written)
    const fault = (): Fault | undefined => {
      if (!EMAIL.test(email)) return { code: 'email' }
      if (!USERNAME.test(username)) return { code: 'username' }
      if (written && !preferredLanguage) return { code: 'language' }
      if (unknown !== undefined) return { code: 'group', name: unknown }
      if (isTwice(`name ${username.toLowerCase()}`, `mail ${email.toLowerCase()}`)) return { code: 'twice' }
      return undefined
    }
    return {
      line: index + 2,
      ...{ username, email, preferredLanguage, displayNameAr: cell('displayNameAr'), displayNameEn: cell('displayNameEn') },
      groupIds: [...new Set(found.flatMap((group) => group?.id ?? []))],
      fault: fault(),
    }
  })
}

/** Whether any row names a group. */
export const namesGroups = (table: readonly string[][]) => {
  const place = placesIn(table[0] ?? []).groups
  return place !== undefined && table.slice(1).some((cells) => cells[place]?.trim())
}
