/** Gives memberships and roles their ends. */
import { api } from '../../../../platform/client.ts'
import { Refusal } from '../../../../platform/refusal.ts'
import { both } from './texts.ts'

const isRetold = (code: string): code is keyof typeof both.ar.refused => code in both.ar.refused
const retold = (failure: unknown) =>
  failure instanceof Refusal && isRetold(failure.code)
    ? new Refusal(failure.status, { ...failure.body, messageAr: both.ar.refused[failure.code], messageEn: both.en.refused[failure.code] })
    : failure

async function giving<T>(call: Promise<T>) {
  try {
    return await call
  } catch (failure) {
    throw retold(failure)
  }
}

/** Makes a person a member until `expiresAt`. An existing membership gets this end instead of its former one. */
export const giveMembership = (id: number, userId: number, expiresAt: string | null) =>
  giving(api.POST('/groups/{id}/users', { params: { path: { id } }, body: { userId, expiresAt } }))

export const giveRole = (id: number, roleName: string, expiresAt: string | null) =>
  giving(api.POST('/users/{id}/roles', { params: { path: { id } }, body: { roleName, expiresAt } }))
