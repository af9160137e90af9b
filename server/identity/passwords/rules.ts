import { hash } from 'node:crypto'
import type { Rule } from '../../platform/auth/limits.ts'
import type { FactorKind } from '../factors/rules.ts'

/** The address of a reset link: the portal's own page below the configured `PUBLIC_URL`. */
export const resetUrl = ({ publicUrl }: { publicUrl: string }, token: string) => `${publicUrl}/reset-password?token=${token}`

/** Long, because people may be away when they are invited. */
export const INVITATION_MINUTES = 7 * 24 * 60

const QUEUES = 8

/** Mails to one identifier are sent one after the other, so that the last one to arrive has the valid link. */
export const mailQueue = (identifier: string) => `reset links ${hash('sha256', identifier.toLowerCase(), 'buffer')[0]! % QUEUES}`

/** The part that the two names of an account usually have in common: the username, and the e-mail address up to its `@`. */
export const accountName = (identifier: string) => identifier.toLowerCase().replace(/(?<=.)@.*$/s, '')

const HOUR_MS = 3_600_000
const login = { tries: 10, withinMs: HOUR_MS / 4, counts: 'invalid_credentials' } as const
/** The advice to ask for a new password helps, because a new password lifts these limits. */
const says = {
  en: 'Too many wrong tries. Wait 15 minutes, or ask for a new password.',
  ar: 'تكررت المحاولات الخاطئة. انتظر 15 دقيقة أو اطلب كلمة مرور جديدة.',
}
const reset = { tries: 5, withinMs: HOUR_MS } as const

/** The limits of calls that need no session, or that check a password. */
export const tries = {
  loginOfDevice: { name: 'login_device', ...login, says },
  loginFromAddress: { name: 'login_address', ...login, tries: 100 },
  loginOfName: { name: 'login_name', ...login, says },
  loginOfAccount: { name: 'login_account', ...login, isSilent: true },
  ownPassword: { name: 'own_password', tries: 10, withinMs: HOUR_MS / 4, counts: 'invalid_password' },
  resetOfDevice: { name: 'forgot_device', ...reset },
  resetFromAddress: { name: 'forgot_address', ...reset, tries: 300 },
  resetOfName: { name: 'forgot_name', ...reset },
  resetOfAccount: { name: 'forgot_account', ...reset, isSilent: true },
  registrationFromAddress: { name: 'register_address', tries: 300, withinMs: HOUR_MS },
} as const satisfies Record<string, Rule>

/**
 * The factors that the first proof of an account removed, and how many recovery codes, identities, tokens, trusted browsers and
 * subscriptions.
 */
export interface Cleared {
  factors: readonly { factor: FactorKind }[]
  recoveryCodes: number
  identities: number
  tokens: number
  trustedDevices: number
  subscriptions: number
}
export function clearedNotice({ factors, ...counts }: Cleared) {
  const named = [
    [factors.some(({ factor }) => factor === 'passkey'), 'مفاتيح المرور', 'passkeys'],
    [factors.some(({ factor }) => factor === 'totp'), 'تطبيق المصادقة', 'an authenticator app'],
    [counts.recoveryCodes > 0, 'رموز الاسترداد', 'recovery codes'],
    [counts.identities > 0, 'الارتباط بمزوّدي الدخول', 'connections with sign-in providers'],
    [counts.tokens > 0, 'رموز واجهة البرمجة', 'API tokens'],
    [counts.trustedDevices > 0, 'المتصفحات الموثوقة', 'trusted browsers'],
    [counts.subscriptions > 0, 'إشعارات المتصفحات', 'browsers that got notifications'],
  ] as const
  const removed = named.filter(([isThere]) => isThere)
  const params = {
    ar: { what: removed.map(([, ar]) => ar).join('، ') },
    en: { what: removed.map(([, , en]) => en).join(', ') },
  }
  return { template: 'account_cleared', params } as const
}
