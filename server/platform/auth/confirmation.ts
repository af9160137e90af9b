/** Confirmation: people prove again who they are before they do something dangerous. */
import { sql } from 'kysely'
import type { Reads } from '../database/db.ts'
import { refuse } from '../errors/refusal.ts'
import { CONFIRMED_MINUTES, type Session } from './sessions.ts'

/** The ways to confirm. A recovery code is accepted in place of a passkey or of an authenticator app's code. */
export const confirmationMethods = ['password', 'passkey', 'totp', 'provider'] as const
type ConfirmationMethod = (typeof confirmationMethods)[number]

interface Means {
  hasPassword: boolean
  /** Whether the person may sign in by password. */
  isOpen: boolean
  hasFactor: boolean
  /** Whether an active provider signs the person in. */
  hasIdentity: boolean
  methods: ConfirmationMethod[]
  /** Whether the settings ask administrators to confirm. */
  isAskedOfAdministrators: boolean
}

/**
 * The ways in which a person can confirm. A password does not count for someone with a factor, nor for someone who may not sign in by it.
 * Without `offset 0`, the planner may read the passkeys or authenticator apps of all people first.
 */
export async function meansOf(db: Reads, userId: number): Promise<Means> {
  const { rows } = await sql<Omit<Means, 'methods'> & { hasPasskey: boolean; hasTotp: boolean; hasProvider: boolean }>`
    select password_hash is not null as has_password, has_factor(users.id) as has_factor,
      settings.passwords = 'everyone' or is_exception as is_open, settings.confirm_administration as is_asked_of_administrators,
      exists (select from passkeys where user_id = users.id offset 0) as has_passkey,
      exists (select from totp where user_id = users.id and proven_at is not null and secret is not null offset 0) as has_totp,
      known.has_identity, known.confirms or known.has_identity and not has_factor(users.id) as has_provider
    from users cross join sign_in_settings as settings cross join lateral (
      select count(*) > 0 as has_identity, coalesce(bool_or(provider.second_factor <> 'own'), false) as confirms
      from identities join sign_in_providers as provider on provider.id = provider_id and provider.is_active
      where user_id = users.id) as known
    where users.id = ${userId}`.execute(db)
  const { hasPasskey, hasTotp, hasProvider, ...means } = rows[0] ?? { ...NOTHING, hasPasskey: false, hasTotp: false, hasProvider: false }
  const methods: ConfirmationMethod[] = []
  if (means.hasPassword && means.isOpen && !means.hasFactor) methods.push('password')
  if (hasPasskey) methods.push('passkey')
  if (hasTotp) methods.push('totp')
  if (hasProvider) methods.push('provider')
  return { ...means, methods }
}
const NOTHING = { hasPassword: false, isOpen: false, hasFactor: false, hasIdentity: false, isAskedOfAdministrators: false }

/**
 * When the confirmation of the session ends; null if it is not confirmed. A session that lacks its person's second factor is never
 * confirmed.
 */
export const confirmedUntil = ({ isFresh, confirmedAt, level }: Session, { hasFactor }: Pick<Means, 'hasFactor'>) =>
  isFresh && confirmedAt && (level === 2 || !hasFactor) ? new Date(confirmedAt.getTime() + CONFIRMED_MINUTES * 60_000) : null

/** Refuses tokens (`not_for_tokens`). Refuses `confirmation_required` if the settings demand a confirmation and the session has none. */
export async function requireInAdministration(db: Reads, session: Session) {
  if (session.kind === 'token') refuse('not_for_tokens')
  const means = await meansOf(db, session.userId)
  if (means.isAskedOfAdministrators && !confirmedUntil(session, means))
    refuse('confirmation_required', { body: { methods: means.methods } })
}

/** Refuses `confirmation_required` unless the caller has confirmed within the last 15 minutes. */
export async function requireConfirmation(db: Reads, session: Session) {
  const means = await meansOf(db, session.userId)
  if (!confirmedUntil(session, means)) refuse('confirmation_required', { body: { methods: means.methods } })
}
