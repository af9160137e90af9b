/** The names that a new password must not contain. */
import type { Reads } from '../../platform/database/db.ts'
import { readSettings } from '../../site/settings/queries.ts'

interface Named {
  username: string
  email: string
  displayNameAr?: string | null
  displayNameEn?: string | null
}

/** The names of a person and of the portal. */
export async function namesOf(db: Reads, { username, email, displayNameAr, displayNameEn }: Named) {
  const { siteNameAr, siteNameEn } = await readSettings(db)
  return [username, email, displayNameAr, displayNameEn, siteNameAr, siteNameEn]
}

/** As `namesOf`, by the person's id; empty for an unknown person. */
export async function namesOfPerson(db: Reads, id: number | undefined) {
  if (id === undefined) return []
  const columns = ['username', 'email', 'displayNameAr', 'displayNameEn'] as const
  const person = await db.selectFrom('users').select(columns).where('id', '=', id).where('kind', '=', 'person').executeTakeFirst()
  return person ? namesOf(db, person) : []
}
