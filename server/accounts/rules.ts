import { hash } from 'node:crypto'
import type { Rule } from '../platform/auth/limits.ts'

/** The address of a reset link: the portal's own page below the configured `PUBLIC_URL`. */
export const resetUrl = ({ publicUrl }: { publicUrl: string }, token: string) => `${publicUrl}/reset-password?token=${token}`

/** Tries are spread over little more than an hour, the lifetime of a link. */
export const MAIL_TRIES = 9

const QUEUES = 8

/** Mails to one identifier are sent one after the other, so that the last one to arrive has the valid link. */
export const mailQueue = (identifier: string) => `reset links ${hash('sha256', identifier.toLowerCase(), 'buffer')[0]! % QUEUES}`

const HOUR_MS = 3_600_000
const login = { withinMs: HOUR_MS / 4, counts: 'invalid_credentials' } as const

/** How often what needs no session, or a password, may be tried. */
export const tries = {
  loginOfAccount: { name: 'login_account', tries: 10, ...login },
  loginFromAddress: { name: 'login_address', tries: 100, ...login },
  ownPassword: { name: 'own_password', tries: 10, withinMs: HOUR_MS / 4, counts: 'invalid_password' },
  resetOfIdentifier: { name: 'forgot_identifier', tries: 5, withinMs: HOUR_MS },
  resetFromAddress: { name: 'forgot_address', tries: 300, withinMs: HOUR_MS },
  registrationFromAddress: { name: 'register_address', tries: 300, withinMs: HOUR_MS },
} as const satisfies Record<string, Rule>
