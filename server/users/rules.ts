/** What a username looks like, and which people are asked for. */
import unhomoglyph from 'unhomoglyph'
import { refuseField } from '../platform/errors/refusal.ts'
import { isCalendarDate } from '../platform/http/page.ts'

const isInvisible = /\p{Default_Ignorable_Code_Point}/gu
/** The skeleton of a text (UTS 39): the same for texts that are easily taken for each other. */
const skeletonOf = (text: string) => unhomoglyph(text.normalize('NFD').replace(isInvisible, '')).normalize('NFD')

/** The looks of a name as it is written, in small letters and in capitals, since its case does not count. Names that share one look alike. */
export const looksOf = (name: string) =>
  [...new Set([name, name.toLowerCase(), name.toUpperCase()].map((written) => skeletonOf(written).toLowerCase()))].toSorted()

/** Spells letters alike that a hurried reader does not tell apart in ASCII. */
const roughly = (look: string) => look.replaceAll('m', 'rn').replaceAll('w', 'vv').replace(/[1i|]/g, 'l').replaceAll('0', 'o')
/** No username has it, so rough looks are told from the others. */
export const ROUGH = '~'
export const isRough = (look: string) => look.startsWith(ROUGH)

/**
 * All that is kept of a name to find those that look like it: the looks of it and of what searching folds it to, and rough ones of both,
 * which only the names of administrators are guarded by.
 */
export function keptLooks(name: string, folded: string) {
  const looks = [...looksOf(name), ...looksOf(folded)]
  return [...new Set([...looks, ...looks.map((look) => ROUGH + roughly(look))])].toSorted()
}

const isPlain = (name: string) => /^\p{ASCII}*$/u.test(name)

/** Whether one of two names that look alike must not exist beside the other: those of ASCII letters alone are told apart by reading. */
export const isMistakable = (name: string, other: string) => !isPlain(name) || !isPlain(other)

const MOST_ID = 2147483647
/** The ids in a list with commas; those that nobody can have are left out. */
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

/** Refuses a change of many people that names them twice or not at all, changes nothing, or gives what it takes. */
export function checkUsersChange({ ids, filter, set }: UsersChange) {
  if (ids && filter) refuseField('ids', 'exclusive', { fields: ['filter'] })
  if (!ids && !filter) refuseField('ids', 'required', { unless: ['filter'] })
  if (filter?.seenBefore !== undefined && !isCalendarDate(filter.seenBefore)) refuseField('filter.seenBefore', 'calendarDate')
  if (wishes.every((wish) => set[wish] === undefined)) refuseField('set', 'minProperties', { fields: wishes })
  const given = new Set<number | string>([...(set.addGroupIds ?? []), ...(set.addRoleNames ?? []).map((name) => name.toLowerCase())])
  if (set.removeGroupIds?.some((id) => given.has(id))) refuseField('set.removeGroupIds', 'exclusive', { fields: ['addGroupIds'] })
  if (set.removeRoleNames?.some((name) => given.has(name.toLowerCase())))
    refuseField('set.removeRoleNames', 'exclusive', { fields: ['addRoleNames'] })
}
