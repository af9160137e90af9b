/** Judges rows of a file, many at once. */

import { usernameFrom, usernamesFrom } from '../../identity/providers/rules.ts'
import { findLastingAdministrators } from '../../platform/auth/last-admin.ts'
import type { Reads } from '../../platform/database/db.ts'
import { noMoves } from '../../platform/database/sets.ts'
import { type Detail, fieldError } from '../../platform/errors/field-errors.ts'
import { findLookAlikes } from '../users/queries.ts'
import { isMistakable } from '../users/rules.ts'
import { readCells } from './cells.ts'
import { findAccounts, findGroups, findKnown, findManagers, findTaken } from './facts.ts'
import type { FileRow } from './reading.ts'
import { type Judged, judge, type Known, type Wanted } from './rules.ts'

export interface JudgedRow extends Judged {
  line: number
  cells: FileRow['cells']
}

/** The people, usernames and addresses in the rows so far, each with its line, and the administrators who would be left. */
async function openSeen(db: Reads) {
  const [people, usernames, emails] = [new Map<number, number>(), new Map<string, number>(), new Map<string, number>()]
  const looks = new Map<string, string>()
  const lasting = new Set(await findLastingAdministrators(db))
  return { people, usernames, emails, looks, lasting }
}
type Seen = Awaited<ReturnType<typeof openSeen>>

interface Names {
  person: Known | undefined
  usernameKey: string | null
  emailKey: string | null
  /** The row identifies the person by the e-mail address. */
  isByMail: boolean
}
/** The line and the column that named the person before. If there are none, notes this line and returns undefined. */
function noteSeen(seen: Seen, line: number, { person, usernameKey, emailKey, isByMail }: Names) {
  const byName = usernameKey === null ? undefined : seen.usernames.get(usernameKey)
  const byMail = emailKey === null ? undefined : seen.emails.get(emailKey)
  const first = (person && seen.people.get(person.id)) ?? byName ?? byMail
  if (first !== undefined) return { line: first, path: isByMail || (byName === undefined && byMail !== undefined) ? 'email' : 'username' }
  if (person) seen.people.set(person.id, line)
  if (usernameKey !== null) seen.usernames.set(usernameKey, line)
  if (emailKey !== null) seen.emails.set(emailKey, line)
  return undefined
}

/** The first free username for a person whose row has only an e-mail address. */
async function freeNameFor(db: Reads, email: string, seen: Seen | undefined) {
  const base = usernameFrom(email)
  if (!base) return undefined
  const candidates = usernamesFrom(base)
  const isFree = (taken: Awaited<ReturnType<typeof findTaken>>) => (name: string) => {
    const { key, isTaken } = taken.get(name)!
    return !isTaken && !seen?.usernames.has(key)
  }
  if (isFree(await findTaken(db, [base]))(base)) return base
  return candidates.find(isFree(await findTaken(db, candidates)))
}

interface Judging {
  callerId: number
  /** How many cells a row has. */
  width: number
  /** The rows are a whole file, so each is compared with the rows before it. */
  isWhole: boolean
}
/** Returns `judge(rows)`, to be called with the portions of a file in order. */
export async function openJudging(db: Reads, { callerId, width, isWhole }: Judging) {
  const groups = await findGroups(db)
  const seen = isWhole ? await openSeen(db) : undefined

  const judgeRows = async (rows: readonly FileRow[]): Promise<JudgedRow[]> => {
    const read = rows.map((row) => readCells(row, width))
    const found = await findAccounts(
      db,
      read.map(({ wanted }) => wanted.username ?? null),
      read.map(({ wanted }) => wanted.email ?? null),
    )
    const known = await findKnown(db, [...new Set(found.flatMap(({ namedId, mailedId }) => [namedId ?? [], mailedId ?? []].flat()))])
    const managers = await findManagers(
      db,
      read.map(({ wanted }) => wanted.manager ?? null),
    )
    const newNames = read.flatMap(({ wanted }, at) => (found[at]!.namedId === null ? (wanted.username ?? []) : []))
    const looks = newNames.length ? await findLookAlikes(db, [...new Set(newNames)]) : undefined

    const judgeOne = async (wanted: Wanted, faults: Detail[], at: number): Promise<JudgedRow> => {
      const { line, cells, found: foundCells } = rows[at]!
      const { namedId, mailedId, emailKey, ...keys } = found[at]!
      const [named, mailed] = [namedId === null ? undefined : known.get(namedId), mailedId === null ? undefined : known.get(mailedId)]
      const isNameless = !named && !mailed && wanted.username === undefined && cells.username === undefined && wanted.email !== undefined
      const freeName = isNameless ? await freeNameFor(db, wanted.email!, seen) : undefined
      const username = wanted.username ?? freeName
      const own = freeName === undefined ? looks : await findLookAlikes(db, [freeName])
      const like = username === undefined ? undefined : own?.get(username)
      const resembles = like && !named && !mailed ? like.looks.map((look) => seen?.looks.get(look)).filter((one) => one !== undefined) : []
      const judged = judge(wanted, {
        ...{ named, mailed, freeName, callerId, emailKey: emailKey ?? undefined, ...groups },
        manager: managers[at] ?? (!seen || seen.usernames.has(wanted.manager?.toLowerCase() ?? '') ? 'coming' : undefined),
        isLookAlike: like !== undefined && (like.isTaken || resembles.some((other) => isMistakable(username!, other))),
      })
      const wrong = new Set(faults.map(({ path }) => path))
      const isAnybody = cells.username !== undefined || cells.email !== undefined
      const all = foundCells === undefined && isAnybody ? [...faults, ...judged.details.filter(({ path }) => !wrong.has(path))] : faults
      const row = { ...judged, line, cells, details: all, ...(faults.length > 0 && { verdict: 'refused' as const }) }
      const isNew = judged.person === undefined
      const usernameKey = keys.usernameKey ?? (freeName === undefined ? null : (await findTaken(db, [freeName])).get(freeName)!.key)
      const naming = { usernameKey: isNew || named ? usernameKey : null, emailKey, isByMail: !named && mailed !== undefined }
      const before = seen && noteSeen(seen, line, { person: judged.person, ...naming })
      if (before) return { ...row, verdict: 'refused', details: [...all, fieldError(before.path, 'twice', { line: before.line })] }
      if (seen && row.verdict === 'create' && like) for (const look of like.looks) seen.looks.set(look, username!)
      return seen && row.verdict === 'update' ? keepingAdministrators(row, seen) : row
    }
    const judged: JudgedRow[] = []
    for (const [at, { wanted, details }] of read.entries()) judged.push(await judgeOne(wanted, details, at))
    return judged.map((row) => (row.verdict === 'refused' ? { ...row, fields: {}, moves: noMoves, changes: {} } : row))
  }
  return { judge: judgeRows, nameOf: (id: number) => groups.groupById(id)?.name ?? String(id) }
}

/** Refuses to deactivate the last administrator. */
function keepingAdministrators(row: JudgedRow, { lasting }: Seen): JudgedRow {
  const { id } = row.person!
  if (row.fields.isActive !== false || !lasting.has(id)) return row
  if (lasting.size === 1) return { ...row, verdict: 'refused', details: [...row.details, fieldError('active', 'lastAdmin')] }
  lasting.delete(id)
  return row
}
