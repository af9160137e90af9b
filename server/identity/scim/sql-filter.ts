/** Turns filters into conditions of SQL. */
import { type RawBuilder, sql } from 'kysely'
import type { Reads } from '../../platform/database/db.ts'
import { keyOf, lowered } from '../../platform/database/search.ts'
import { cleanText, likePattern } from '../../platform/text.ts'
import { refuseScim } from './errors.ts'
import type { Condition, Term } from './filter.ts'
import { facet } from './person.ts'
import { idIn } from './rules.ts'
import { ENTERPRISE, type ResourceType, splitUrn } from './schema.ts'

type Where = RawBuilder<boolean>
const never = sql<boolean>`false`

const EXACT = { isExact: true }

/** Compares a column that is in lower case or, if `isExact`, one whose case counts. */
function compareText(column: RawBuilder<unknown>, { op, value }: Term, { isExact } = { isExact: false }): Where {
  if (value === null) return op === 'ne' ? sql`${column} is not null` : op === 'eq' ? sql`${column} is null` : never
  const text = String(value)
  const pattern = likePattern(isExact ? text : text.toLowerCase())
  const likes: Partial<Record<Term['op'], string>> = { co: pattern, sw: pattern.slice(1), ew: pattern.slice(0, -1) }
  if (likes[op] !== undefined) return sql`${column} like ${likes[op]}`
  const key = isExact ? sql`${text}::text` : keyOf(text)
  if (op === 'ne') return sql`${column} is distinct from ${key}`
  const sign = sql.raw({ eq: '=', gt: '>', ge: '>=', lt: '<', le: '<=' }[op as 'eq'])
  return sql`${column} ${sign} ${key}`
}

function compareMoment(column: RawBuilder<unknown>, { op, value }: Term): Where {
  const moment = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}/.test(value) ? new Date(value) : undefined
  if (!moment || Number.isNaN(moment.getTime())) return refuseScim('invalidFilter', 'A moment is written as in RFC 3339.')
  const signs: Partial<Record<Term['op'], string>> = { eq: '=', ne: '<>', gt: '>', ge: '>=', lt: '<', le: '<=' }
  const sign = signs[op] ?? refuseScim('invalidFilter', 'A moment is compared by eq, ne, gt, ge, lt or le.')
  // Timestamps are sent with milliseconds only.
  return sql`date_trunc('milliseconds', ${column}) ${sql.raw(sign)} ${moment}`
}

function compareFlag(column: RawBuilder<unknown>, { op, value }: Term): Where {
  const flag = typeof value === 'string' ? value.toLowerCase() : String(value)
  if ((op !== 'eq' && op !== 'ne') || (flag !== 'true' && flag !== 'false'))
    return refuseScim('invalidFilter', 'A truth value is compared by eq or ne with true or false.')
  return sql`${column} = ${(flag === 'true') === (op === 'eq')}`
}

function compareId(column: RawBuilder<unknown>, term: Term): Where {
  if (term.op !== 'eq') return compareText(sql`${column}::text`, term, EXACT)
  const id = idIn(term.value)
  return id === undefined ? never : sql`${column} = ${id}`
}

/** One attribute: how it is compared, and whether it is present. */
interface Place {
  compare: (term: Term) => Where
  present: Where
}
const always = sql<boolean>`true`
const kept = (path: string, value: RawBuilder<unknown>): Place => ({
  compare: (term) =>
    term.op === 'eq' && typeof term.value === 'string'
      ? sql`p.facets @> array[${facet(path, term.value)}]::text[]`
      : compareText(lowered(value), term),
  present: sql`coalesce(${value}, '') <> ''`,
})

const emailsWhere = (condition: Where) =>
  sql<boolean>`exists (select from jsonb_array_elements(p.attributes -> 'emails') as one (email) where ${condition})`
const partOfEmail = (part: string) => sql`email ->> ${sql.lit(part)}`
const manager = kept('manager', sql`p.attributes -> ${sql.lit(ENTERPRISE)} -> 'manager' ->> 'value'`)
const emails: Place = {
  ...kept('emails', sql`''`),
  compare: (term) =>
    term.op === 'eq' && typeof term.value === 'string'
      ? sql`p.facets @> array[${facet('emails', term.value)}]::text[]`
      : emailsWhere(compareText(lowered(partOfEmail('value')), term)),
  present: emailsWhere(always),
}

const people: Record<string, Place> = {
  id: { compare: (term) => compareId(sql`u.id`, term), present: always },
  username: { compare: (term) => compareText(sql`p.user_name_key`, term), present: always },
  externalid: {
    // Stored as sent: upper and lower case differ.
    compare: (term) => compareText(sql`p.external_id`, term, EXACT),
    present: sql`p.external_id is not null`,
  },
  active: { compare: (term) => compareFlag(sql`u.is_active`, term), present: always },
  displayname: kept('displayName', sql`p.attributes ->> 'displayName'`),
  ...Object.fromEntries(
    ['formatted', 'familyName', 'givenName', 'middleName', 'honorificPrefix', 'honorificSuffix'].map((part) => [
      `name.${part.toLowerCase()}`,
      kept(`name.${part}`, sql`p.attributes -> 'name' ->> ${sql.lit(part)}`),
    ]),
  ),
  emails,
  'emails.value': emails,
  manager,
  'manager.value': manager,
  'meta.created': { compare: (term) => compareMoment(sql`u.created_at`, term), present: always },
  'meta.lastmodified': { compare: (term) => compareMoment(sql`p.modified_at`, term), present: always },
}

/** The members that a source sees in its groups: all are its people. Exceptions are left out. */
const members = sql`group_users m join users one on one.id = m.user_id and one.kind = 'person' and not one.is_exception`
const member: Place = {
  compare: (term) => {
    if (term.op !== 'eq' && term.op !== 'ne') return refuseScim('invalidFilter', 'Members are compared by eq or ne.')
    const id = idIn(term.value)
    const isMember = id === undefined ? never : sql<boolean>`exists (select from ${members} where m.group_id = g.id and m.user_id = ${id})`
    return term.op === 'eq' ? isMember : sql`not ${isMember}`
  },
  present: sql`exists (select from ${members} where m.group_id = g.id)`,
}

/** A comparison with the name of a group, in the form in which names are stored. A part of a name keeps the spaces at its ends. */
const asStored = (term: Term): Term => {
  if (typeof term.value !== 'string') return term
  const isPart = term.op === 'co' || term.op === 'sw' || term.op === 'ew'
  return { ...term, value: isPart ? term.value.normalize('NFC') : cleanText(term.value, 'line') }
}
const groups: Record<string, Place> = {
  id: { compare: (term) => compareId(sql`g.id`, term), present: always },
  displayname: { compare: (term) => compareText(sql`g.name_key`, asStored(term)), present: always },
  externalid: {
    compare: (term) => compareText(sql`p.external_id`, term, EXACT),
    present: sql`p.external_id is not null`,
  },
  members: member,
  'members.value': member,
  'meta.created': { compare: (term) => compareMoment(sql`g.created_at`, term), present: always },
  'meta.lastmodified': { compare: (term) => compareMoment(sql`p.modified_at`, term), present: always },
}
const places = { User: new Map(Object.entries(people)), Group: new Map(Object.entries(groups)) }

const unknown = (path: string): never => refuseScim('invalidFilter', `Nothing can be filtered by ${path.slice(0, 100)}.`)
const placeOf = (type: ResourceType, path: string) => places[type].get(splitUrn(type, path).rest.toLowerCase()) ?? unknown(path)

const joined = (op: 'and' | 'or', parts: Where[]) => sql<boolean>`(${sql.join(parts, sql.raw(` ${op} `))})`

/** The condition on the values of a list: of e-mail addresses, or of members. */
function whereEach(type: ResourceType, condition: Condition): Where {
  switch (condition.op) {
    case 'and':
    case 'or':
      return joined(
        condition.op,
        condition.conditions.map((one) => whereEach(type, one)),
      )
    case 'not':
      return sql`(not coalesce(${whereEach(type, condition.condition)}, false))`
    case 'each':
      return unknown(condition.path)
    default: {
      const part = condition.path.toLowerCase()
      if (type === 'Group') return part === 'value' ? (condition.op === 'pr' ? member.present : member.compare(condition)) : unknown(part)
      if (!['value', 'type', 'display', 'primary'].includes(part)) return unknown(part)
      if (condition.op === 'pr') return sql`coalesce(${partOfEmail(part)}, '') <> ''`
      return compareText(lowered(partOfEmail(part)), condition)
    }
  }
}

/** The facet of `type eq "work" and value eq "x"`; undefined for other conditions. */
function facetIn(condition: Condition) {
  if (condition.op !== 'and' || condition.conditions.length !== 2) return undefined
  const textOf = (part: string) =>
    condition.conditions.flatMap((one) =>
      one.op === 'eq' && one.path.toLowerCase() === part && typeof one.value === 'string' ? [one.value] : [],
    )[0]
  const [type, value] = [textOf('type'), textOf('value')]
  return type === undefined || value === undefined ? undefined : facet(`emails.${type}`, value)
}

export function whereOf(type: ResourceType, condition: Condition): Where {
  switch (condition.op) {
    case 'and':
    case 'or':
      return joined(
        condition.op,
        condition.conditions.map((one) => whereOf(type, one)),
      )
    case 'not':
      return sql`(not coalesce(${whereOf(type, condition.condition)}, false))`
    case 'each': {
      const path = splitUrn(type, condition.path).rest.toLowerCase()
      if (path !== (type === 'User' ? 'emails' : 'members')) return unknown(condition.path)
      const known = type === 'User' ? facetIn(condition.condition) : undefined
      if (known !== undefined) return sql`p.facets @> array[${known}]::text[]`
      const each = whereEach(type, condition.condition)
      return type === 'User' ? emailsWhere(each) : each
    }
    case 'pr':
      return placeOf(type, condition.path).present
    default:
      return placeOf(type, condition.path).compare(condition)
  }
}

/** The value of a filter that is `path eq "value"` alone. */
export function soleEquals(type: ResourceType, condition: Condition | undefined, path: string) {
  if (condition?.op !== 'eq' || typeof condition.value !== 'string') return undefined
  return splitUrn(type, condition.path).rest.toLowerCase() === path ? condition.value : undefined
}

const WITHIN_MS = 500
const CANCELLED = '57014'

/** Runs a filter. Refuses `tooMany` if it takes longer than half a second. */
export async function filtering<T>(db: Reads, work: (db: Reads) => Promise<T>): Promise<T> {
  try {
    return await db
      .transaction()
      .setAccessMode('read only')
      .execute(async (tx) => {
        await sql`select set_config('statement_timeout', ${String(WITHIN_MS)}, true)`.execute(tx)
        return work(tx)
      })
  } catch (error) {
    if ((error as { code?: string }).code === CANCELLED) return refuseScim('tooMany', 'The filter takes too long; compare by eq.')
    throw error
  }
}
