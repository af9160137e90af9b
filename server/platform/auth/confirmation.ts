/** Confirmation: proving again who one is before something dangerous. */
import { sql } from 'kysely'
import type { Reads } from '../database/db.ts'
import { refuse } from '../errors/refusal.ts'
import { CONFIRMED_MINUTES, type Session } from './sessions.ts'

/** The ways to confirm. A recovery code counts wherever a passkey or a code of an app does. */
export const confirmationMethods = ['password', 'passkey', 'totp', 'provider'] as const
type ConfirmationMethod = (typeof confirmationMethods)[number]

interface Means {
  hasPassword: boolean
  /** Whether they may sign in by password. */
  isOpen: boolean
  hasFactor: boolean
  methods: ConfirmationMethod[]
  /** Whether administrators must confirm as the settings say. */
  isAskedOfAdministrators: boolean
}

/**
 * The ways in which a person can prove who they are. A password does not count for someone with a factor, nor where they may not sign in by it.
 * Without `offset 0`, the planner may read the passkeys or identities of all people first.
 */
export async function meansOf(db: Reads, userId: number): Promise<Means> {
  const { rows } = await sql<Omit<Means, 'methods'> & { hasPasskey: boolean; hasTotp: boolean; hasProvider: boolean }>`
    select password_hash is not null as has_password, has_factor(users.id) as has_factor,
      settings.passwords = 'everyone' or is_exception as is_open, settings.confirm_administration as is_asked_of_administrators,
      exists (select from passkeys where user_id = users.id offset 0) as has_passkey,
      exists (select from totp where user_id = users.id and proven_at is not null and secret is not null offset 0) as has_totp,
      exists (
        select from identities join sign_in_providers as provider on provider.id = provider_id and provider.is_active
        where user_id = users.id and (provider.second_factor <> 'own' or not has_factor(users.id)) offset 0) as has_provider
    from users cross join sign_in_settings as settings where users.id = ${userId}`.execute(db)
  const { hasPasskey, hasTotp, hasProvider, ...means } = rows[0] ?? { ...NOTHING, hasPasskey: false, hasTotp: false, hasProvider: false }
  const methods: ConfirmationMethod[] = []
  if (means.hasPassword && means.isOpen && !means.hasFactor) methods.push('password')
  if (hasPasskey) methods.push('passkey')
  if (hasTotp) methods.push('totp')
  if (hasProvider) methods.push('provider')
  return { ...means, methods }
}
const NOTHING = { hasPassword: false, isOpen: false, hasFactor: false, isAskedOfAdministrators: false }

/** Until when the session counts as confirmed; null if it does not. One that began without the person's factor never does. */
export const confirmedUntil = ({ isFresh, confirmedAt, level }: Session, { hasFactor }: Pick<Means, 'hasFactor'>) =>
  isFresh && confirmedAt && (level === 2 || !hasFactor) ? new Date(confirmedAt.getTime() + CONFIRMED_MINUTES * 60_000) : null

/**
 * Refuses tokens (`not_for_tokens`), and `confirmation_required`, while the settings ask administrators to confirm, unless they have.
 */
export async function requireInAdministration(db: Reads, session: Session) {
  if (session.kind === 'token') refuse('not_for_tokens')
  const means = await meansOf(db, session.userId)
  if (means.isAskedOfAdministrators && !confirmedUntil(session, means))
    refuse('confirmation_required', { body: { methods: means.methods } })
}

/** Refuses `confirmation_required` unless the caller has just proved who they are. */
export async function requireConfirmation(db: Reads, session: Session) {
  const means = await meansOf(db, session.userId)
  if (!confirmedUntil(session, means)) refuse('confirmation_required', { body: { methods: means.methods } })
}
