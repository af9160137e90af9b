/** Where the browser goes on. */

import type { Config } from '../../platform/config.ts'
import { refuseField } from '../../platform/errors/refusal.ts'
import type { FailureReason } from '../../platform/oidc/failures.ts'
import type { Attempt } from './attempts.ts'

/** Refuses a path that a browser could read as another host. */
export function checkReturnTo(returnTo: string | undefined): string | null {
  if (returnTo === undefined) return null
  const { pathname, origin } = new URL(returnTo, 'http://portal.invalid')
  if (origin !== 'http://portal.invalid' || pathname.startsWith('//')) refuseField('returnTo', 'pattern', { form: 'route' })
  return returnTo
}

/** A path of the portal as an address in a header: below the path of PUBLIC_URL, and in ASCII. */
export function locationOf({ publicUrl }: Config, path: string) {
  const base = new URL(publicUrl).pathname.replace(/\/$/, '')
  return base + path.replace(/[^\x21-\x7e]+/g, (text) => encodeURIComponent(text))
}

/** The same with one more parameter in its query. */
function withParameter(path: string, name: string, value: string) {
  const [before, fragment] = path.split(/#(.*)/s) as [string, string | undefined]
  return `${before}${before.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}${fragment === undefined ? '' : `#${fragment}`}`
}

const usual = { sign_in: '/', link: '/account/security', confirm: '/account/security', try: '/admin/sign-in' } as const

/** Where an attempt that worked leads. */
export const successOf = (config: Config, { purpose, returnTo }: Pick<Attempt, 'purpose' | 'returnTo'>, slug: string) =>
  locationOf(config, purpose === 'try' ? withParameter(usual.try, 'tried', slug) : (returnTo ?? usual[purpose]))

/** Where one that failed leads. */
export function failureOf(config: Config, reason: FailureReason, attempt: Attempt | undefined, slug: string) {
  if (!attempt || attempt.purpose === 'sign_in') return locationOf(config, withParameter('/sign-in', 'failed', reason))
  if (attempt.purpose === 'try') return successOf(config, attempt, slug)
  return locationOf(config, withParameter(attempt.returnTo ?? usual[attempt.purpose], 'failed', reason))
}
