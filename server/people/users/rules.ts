/** The looks of a username, and the selection of people in a request. */
import unhomoglyph from 'unhomoglyph'
import { refuseField } from '../../platform/errors/refusal.ts'

const isInvisible = /\p{Default_Ignorable_Code_Point}/gu
/** The skeleton of a text (UTS 39). Texts that are easily mistaken for each other have the same skeleton. */
const skeletonOf = (text: string) => unhomoglyph(text.normalize('NFD').replace(isInvisible, '')).normalize('NFD')

/**
 * The looks of a name as written, in lower case and in upper case, since case does not count. Two names look alike if they share a look.
 */
export const looksOf = (name: string) =>
  [...new Set([name, name.toLowerCase(), name.toUpperCase()].map((written) => skeletonOf(written).toLowerCase()))].toSorted()

/** Gives the ASCII characters that a hurried reader confuses, such as `m` and `rn`, one common form. */
const roughly = (look: string) => look.replaceAll('m', 'rn').replaceAll('w', 'vv').replace(/[1i|]/g, 'l').replaceAll('0', 'o')
/** The first character of every rough look. No username contains it. */
export const ROUGH = '~'
export const isRough = (look: string) => look.startsWith(ROUGH)

/**
 * All looks that are stored for a name: the looks of the name and of its folded form, and the rough looks of both. The rough looks protect
 * only the names of administrators.
 */
export function keptLooks(name: string, folded: string) {
  const looks = [...looksOf(name), ...looksOf(folded)]
  return [...new Set([...looks, ...looks.map((look) => ROUGH + roughly(look))])].toSorted()
}

const isPlain = (name: string) => /^\p{ASCII}*$/u.test(name)

/** Whether two names that look alike must not both exist. Names of ASCII letters alone may, because readers can tell them apart. */
export const isMistakable = (name: string, other: string) => !isPlain(name) || !isPlain(other)

/** Whether `after` replaces the address `before`. An address that differs only in case is the same. */
export const isOtherAddress = (before: string, after: string | undefined) =>
  after !== undefined && after.toLowerCase() !== before.toLowerCase()

const MOST_ID = 2147483647
/** The ids in a comma-separated list, without impossible ones. */
export const idsIn = (list: string) =>
  list
    .split(',')
    .map(Number)
    .filter((id) => id <= MOST_ID)

interface UsersChange {
  ids?: number[]
  filter?: { seenBefore?: string }
  set: {
    isActive?: boolean
    preferredLanguage?: string
    addGroupIds?: number[]
    removeGroupIds?: number[]
    addRoleNames?: string[]
    removeRoleNames?: string[]
  }
}
const wishes = ['isActive', 'preferredLanguage', 'addGroupIds', 'removeGroupIds', 'addRoleNames', 'removeRoleNames'] as const

/** Refuses a change of many people that selects them in two ways or in none, changes nothing, or gives and takes the same thing. */
export function checkUsersChange({ ids, filter, set }: UsersChange) {
  if (ids && filter) refuseField('ids', 'exclusive', { fields: ['filter'] })
  if (!ids && !filter) refuseField('ids', 'required', { unless: ['filter'] })
  if (wishes.every((wish) => set[wish] === undefined)) refuseField('set', 'minProperties', { fields: wishes })
  const given = new Set<number | string>([...(set.addGroupIds ?? []), ...(set.addRoleNames ?? []).map((name) => name.toLowerCase())])
  if (set.removeGroupIds?.some((id) => given.has(id))) refuseField('set.removeGroupIds', 'exclusive', { fields: ['addGroupIds'] })
  if (set.removeRoleNames?.some((name) => given.has(name.toLowerCase())))
    refuseField('set.removeRoleNames', 'exclusive', { fields: ['addRoleNames'] })
}
