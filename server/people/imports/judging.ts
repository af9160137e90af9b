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
import { type Judged, judge, type Known, staysAdministrator } from './rules.ts'

export interface JudgedRow extends Judged {
  line: number
  cells: FileRow['cells']
}

/**
 * The people, usernames and addresses in the rows so far, each with its line; the new usernames, by look; and the lasting administrators
 * who would be left.
 */
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
/**
 * The earlier line that names the same person, and the column of the conflict. Without such a line, notes this line and returns undefined.
 */
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

const suffixes = usernamesFrom('')
/**
 * For each of these addresses, the first username made from the address that is free in the portal and not in `used`. Adds these usernames
 * to `used`.
 */
async function findFreeNames(db: Reads, addresses: readonly (string | undefined)[], used: Set<string>) {
  const bases = addresses.map((address) => (address === undefined ? '' : usernameFrom(address)))
  const found = await findTaken(db, [...new Set(bases.filter(Boolean))], suffixes)
  return bases.map((base) => {
    const { key, taken } = found.get(base) ?? { key: '', taken: suffixes }
    const suffix = suffixes.find((one) => !taken.includes(one) && !used.has(key + one))
    if (suffix === undefined) return undefined
    used.add(key + suffix)
    return { username: base + suffix, usernameKey: key + suffix }
  })
}

interface Judging {
  callerId: number
  /** The number of headings, which every row must match. */
  width: number
  /** The rows are a whole file, so each is compared with the rows before it. */
  isWhole: boolean
}
/** Returns `judge(rows)`, to be called with the portions of a file in order. */
export async function openJudging(db: Reads, { callerId, width, isWhole }: Judging) {
  const groups = await findGroups(db)
  const seen = isWhole ? await openSeen(db) : undefined
  /** The keys of the usernames in the rows so far, and of those that were made for new people. */
  const used = new Set<string>()
  /** The people whom rows create, activate and deactivate, by username. */
  const activity = new Map<string, { username: string; isNew: boolean; isActive: boolean }>()

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
    for (const { usernameKey } of found) if (usernameKey !== null) used.add(usernameKey)
    const free = await findFreeNames(
      db,
      read.map(({ wanted, cells }, at) => (cells.username === undefined && found[at]!.mailedId === null ? wanted.email : undefined)),
      used,
    )
    const newNames = read.flatMap(({ wanted }, at) => (found[at]!.namedId === null ? (wanted.username ?? free[at]?.username ?? []) : []))
    const looks = newNames.length ? await findLookAlikes(db, [...new Set(newNames)]) : undefined

    const judgeOne = (at: number): JudgedRow => {
      const { line, found: foundCells } = rows[at]!
      const { wanted, cells, details: faults } = read[at]!
      const { namedId, mailedId, emailKey } = found[at]!
      const [named, mailed] = [namedId === null ? undefined : known.get(namedId), mailedId === null ? undefined : known.get(mailedId)]
      const username = wanted.username ?? free[at]?.username
      const usernameKey = found[at]!.usernameKey ?? free[at]?.usernameKey ?? null
      const isNew = !named && !mailed
      const like = username === undefined ? undefined : looks?.get(username)
      const resembles = like && isNew ? like.looks.map((look) => seen?.looks.get(look)).filter((one) => one !== undefined) : []
      const { key, person } = managers[at]!
      const above = key === null ? undefined : activity.get(key)
      const judged = judge(wanted, {
        ...{ named, mailed, freeName: free[at]?.username, callerId, emailKey: emailKey ?? undefined, ...groups },
        // Rows of new people are applied before rows that activate people, so a new person cannot have a manager whom the file activates.
        manager: above === undefined ? person : above.isActive && (above.isNew || !isNew) ? { username: above.username } : undefined,
        isLookAlike: like !== undefined && (like.isTaken || resembles.some((other) => isMistakable(username!, other))),
      })
      const wrong = new Set(faults.map(({ path }) => path))
      const isAnybody = cells.username !== undefined || cells.email !== undefined
      const isShifted = foundCells !== undefined
      const details = [...faults, ...(!isShifted && isAnybody ? judged.details.filter(({ path }) => !wrong.has(path)) : [])]
      if (isShifted || (!judged.person && faults.some(hidesPerson))) details.push(fieldError('', 'unclear'))
      const row = { ...judged, line, cells, details, ...(faults.length > 0 && { verdict: 'refused' as const }) }
      const naming = { usernameKey: !judged.person || named ? usernameKey : null, emailKey, isByMail: !named && mailed !== undefined }
      const before = seen && noteSeen(seen, line, { person: judged.person, ...naming })
      if (before) return refused(row, fieldError(before.path, 'twice', { line: before.line }))
      if (seen && row.verdict === 'update' && !keepsAdministrator(row, seen))
        return refused(row, fieldError(row.fields.isActive === false ? 'active' : 'groups', 'lastAdmin'))
      if (seen && row.verdict === 'create' && like) for (const look of like.looks) seen.looks.set(look, username!)
      const { isActive = isNew ? true : undefined } = row.fields
      const own = judged.person?.usernameKey ?? usernameKey
      if (row.verdict !== 'refused' && isActive !== undefined && own !== null)
        activity.set(own, { username: row.username!, isNew, isActive })
      return row
    }
    return read
      .map((_, at) => judgeOne(at))
      .map((row) => (row.verdict === 'refused' ? { ...row, fields: {}, moves: noMoves, manager: undefined, changes: {} } : row))
  }
  return { judge: judgeRows, nameOf: (id: number) => groups.groupById(id)?.name ?? String(id) }
}

/** Whether an error hides the person that a row names. A row without a username and an address names nobody. */
const hidesPerson = ({ path, rule }: Detail) => (path === 'username' || path === 'email') && rule !== 'required'

const refused = (row: JudgedRow, detail: Detail): JudgedRow => ({ ...row, verdict: 'refused', details: [...row.details, detail] })

/** Whether a lasting administrator is left after a row. */
function keepsAdministrator({ person, ...row }: JudgedRow, { lasting }: Seen) {
  if (!lasting.has(person!.id) || staysAdministrator(person!, row, true)) return true
  return lasting.size > 1 && lasting.delete(person!.id)
}
