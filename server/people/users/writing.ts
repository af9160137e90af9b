/** Changes one person: their fields and groups, and everything that follows from such a change. */
import { type Selectable, sql, type Updateable } from 'kysely'
import { checkByHand, give, take } from '../../access/grants/queries.ts'
import { endsOf, type GrantKind, membershipsExpired } from '../../access/grants/rules.ts'
import { changedFields } from '../../platform/changes/change-kind.ts'
import type { HoldersOf } from '../../platform/changes/deletion-hooks.ts'
import type { Change } from '../../platform/changes/outcome.ts'
import type { Config } from '../../platform/config.ts'
import { brokenUnique, type Reads, type Tx } from '../../platform/database/db.ts'
import { changedSet, type Moves } from '../../platform/database/sets.ts'
import { Refusal, refuse } from '../../platform/errors/refusal.ts'
import type { Tables } from '../../platform/tables.ts'
import { isOtherAddress } from './rules.ts'

/** Refuses `email_taken` if the error is about the e-mail address; otherwise throws the error. */
function refuseTaken(error: unknown): never {
  if (brokenUnique(error) === 'email_taken') refuse('email_taken')
  throw error
}

/** Refuses `email_taken`. */
export async function setFields(tx: Tx, id: number, fields: Updateable<Tables['users']>) {
  if (Object.values(fields).every((value) => value === undefined)) return
  await tx.updateTable('users').set(fields).where('id', '=', id).execute().catch(refuseTaken)
}

/** Voids the links by which these people could choose a password. */
export const voidLinksOf = (tx: Tx, userIds: readonly number[]) =>
  tx.deleteFrom('passwordResets').where('userId', '=', sql<number>`any(${userIds}::int[])`).execute()

/** Whether anything besides `but` opens a person's account or is a second factor for it. The caller must have locked the person. */
export async function hasWaysIn(tx: Tx, id: number, but?: 'password') {
  const { rows } = await sql`
    select from users where id = ${id} and ((password_hash is not null and ${but === undefined})
      or exists (select from identities where user_id = ${id}) or exists (select from passkeys where user_id = ${id})
      or exists (select from totp where user_id = ${id} and proven_at is not null)
      or exists (select from sessions where user_id = ${id} and kind <> 'calendar' and ended_at is null and expires_at > now()))`.execute(
    tx,
  )
  return rows.length > 0
}

/** The refusals for those of these people whom their source has switched off, by person. Nobody else may switch these people on. */
export async function findSwitchedOff(db: Reads, ids: readonly number[]) {
  if (ids.length === 0) return new Map<number, Refusal>()
  const { rows } = await sql<{ userId: number; id: number; name: string }>`
    select p.user_id, s.id, s.name from provisioned_users p join provisioning_sources s on s.id = p.source_id
    where p.user_id = any(${ids}::int[]) and p.switched_off and p.removed_at is null`.execute(db)
  return new Map(rows.map(({ userId, ...source }) => [userId, switchedOffBy({ kind: 'source', ...source })]))
}

const SWITCHED_OFF = 'The directory that manages this person has switched them off; they are switched on there.'
const switchedOffBy = (source: object) =>
  new Refusal('managed_elsewhere', {
    body: { error: SWITCHED_OFF, messageAr: 'عطّل الدليل الذي يدير هذا الحساب صاحبَه، ولا يُفعَّل إلا منه.', messageEn: SWITCHED_OFF, source },
  })

type EndOf = ((id: number) => Date | null) | undefined

/**
 * Removes a person from groups and adds them to groups, or takes and gives roles. The groups and roles must exist. Refuses
 * `managed_elsewhere` for groups that a provider or source fills. `endOf` returns the end of a new grant. Returns the ends that were given
 * and lost, and the grants that had already ended.
 */
export async function moveGrants(tx: Tx, kind: GrantKind, userId: number, { added, removed }: Moves, endOf?: EndOf) {
  if (kind === 'group') await checkByHand(tx, [...added, ...removed], { ends: added.some((id) => endOf?.(id)) })
  const taken = await take(tx, kind, { userIds: [userId], ids: removed })
  const { given, ended } = await give(tx, kind, { userIds: [userId], ids: added, endOf: endOf && ((_, id) => endOf(id)) })
  return { ends: endsOf('id', { given, taken }), ended }
}

export interface PersonEdit {
  fields: Pick<Updateable<Tables['users']>, 'email' | 'displayNameAr' | 'displayNameEn' | 'preferredLanguage' | 'avatarUrl' | 'isActive'>
  /** The groups must exist. */
  groups: Moves
  endOf?: EndOf
  /** The import that makes the change. */
  importId?: number
}
interface EditBy {
  authorId: number
  holders: HoldersOf<'users'>
  config: Config
}
type Edited = Pick<Selectable<Tables['users']>, 'id' | 'username' | 'email' | 'isActive' | 'emailVouched' | 'isProven'>

/** Changes a person whom the caller has locked. Returns the changes, if any. Refuses `email_taken` and `managed_elsewhere`. */
export async function changePerson(tx: Tx, before: Edited, { fields, groups, endOf, importId }: PersonEdit, by: EditBy): Promise<Change[]> {
  const { id } = before
  const changed = { ...changedFields(before, fields), ...changedSet('groupIds', groups) }
  if (Object.keys(changed).length === 0) return []
  const switchedOff = 'isActive' in changed && fields.isActive ? (await findSwitchedOff(tx, [id])).get(id) : undefined
  if (switchedOff) throw switchedOff
  const isOfEmail = isOtherAddress(before.email, fields.email)
  const isOwn = id === by.authorId
  // Nobody can vouch for their own address: a link that was mailed to the former address must not vouch for the new one.
  if (isOfEmail && isOwn) await voidLinksOf(tx, [id])
  const entrusted = isOfEmail && !isOwn ? await by.holders.entrust(tx, before, by.config) : []
  const hasOlderWays = isOfEmail && !isOwn && (await hasWaysIn(tx, id))
  const isProven = before.emailVouched || before.isProven
  // `entrust` has removed all ways into an account that nobody had proven, except into an exception's, which stays unproven.
  const proof = { emailVouched: !isOwn && (isProven || !hasOlderWays), hasOlderWays, isProven }
  await setFields(tx, id, { ...fields, ...(isOfEmail && proof) })
  const { ends, ended } = await moveGrants(tx, 'group', id, groups, endOf)
  return [
    ...membershipsExpired(ended),
    { kind: 'user.updated', targetId: id, facts: { changed, groups: { ...groups, ends }, ...(importId && { importId }) } },
    ...entrusted,
    ...(before.isActive && fields.isActive === false ? await by.holders.deactivate(tx, [id]) : []),
  ]
}
