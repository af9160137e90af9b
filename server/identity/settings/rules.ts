/** Decisions about how people may sign in. */

import { type Detail, fieldError } from '../../platform/errors/field-errors.ts'
import type { Language } from '../../platform/tables.ts'
import { momentFor } from '../../platform/text.ts'

/** The notification that a person must set up a second factor by `due`. */
export function enrolmentNotice(due: Date, timeZone: string) {
  const until = (language: Language) => ({ until: momentFor(language, due, timeZone) })
  return { template: 'enrolment_due', params: { ar: until('ar'), en: until('en') } } as const
}

/** The target id of the settings, which have a single row. */
export const THE_SETTINGS = 1

/** The shortest password of an exception, in characters. */
export const EXCEPTION_PASSWORD_LENGTH = 14

export const MOST_EXCEPTIONS = 5

/** The facts that decide whether a provider can be required. */
export interface Readiness {
  /** Whether the caller has just confirmed through an active provider. */
  isProven: boolean
  exceptions: readonly { hasPassword: boolean; hasFactor: boolean }[]
}

/** The conditions for requiring a provider, in the order in which administrators should meet them. */
export const conditions = ['exceptions', 'exceptionPassword', 'exceptionFactor', 'ownProviderSignIn'] as const

/** The conditions that do not hold, each as an error of the field `passwords`. */
export function unmetConditions({ isProven, exceptions }: Readiness): Detail[] {
  return [
    ...(isProven ? [] : [fieldError('passwords', 'ownProviderSignIn')]),
    ...(exceptions.length > 0 ? [] : [fieldError('passwords', 'exceptions')]),
    ...(exceptions.every(({ hasPassword }) => hasPassword)
      ? []
      : [fieldError('passwords', 'exceptionPassword', { limit: EXCEPTION_PASSWORD_LENGTH })]),
    ...(exceptions.every(({ hasFactor }) => hasFactor) ? [] : [fieldError('passwords', 'exceptionFactor')]),
  ]
}

/** The notification that an exception has signed in without the provider. */
export function exceptionNotice({ username, ip, at }: { username: string; ip: string; at: (language: Language) => string }) {
  const textsIn = (language: Language) => ({ person: username, address: ip, at: at(language) })
  return { template: 'exception_signed_in', params: { ar: textsIn('ar'), en: textsIn('en') } } as const
}
