import { hash } from 'node:crypto'
import type { Rule } from '../platform/auth/limits.ts'

/** Where a reset link leads: the portal's own page, at the address it is configured to have. */
export const resetUrl = ({ publicUrl }: { publicUrl: string }, token: string) => `${publicUrl}/reset-password?token=${token}`

/** Spread over a little more than an hour: a link that comes later than that is no longer waited for. */
export const MAIL_TRIES = 9

const QUEUES = 8

/** Links asked for with one name are mailed one after the other, so that the last mail to arrive holds the link that is good. */
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
