import { resource, setCached } from '../../../../platform/cache.ts'
import { api, ifMatch, type Schemas, versionOf } from '../../../../platform/client.ts'
import { wholeNumber } from '../../../../platform/folded.ts'

type Policy = Schemas['RequestPolicy']

/** The conditions of joining as the form shows them. */
export interface Values {
  requestable: boolean
  askerGroupIds: number[]
  approverUserIds: number[]
  approverGroupIds: number[]
  minApprovals: number
  /** '' for no limit. */
  maxDays: string
  reasonRequired: boolean
  noteAr: string
  noteEn: string
}

export const policyOf = (id: number) => resource('/groups/{id}/request-policy', { path: { id } })
export const valuesOf = ({ openApproverGroupIds: _, maxDays, noteAr, noteEn, ...rest }: Policy): Values => ({
  ...rest,
  maxDays: maxDays === null ? '' : String(maxDays),
  noteAr: noteAr ?? '',
  noteEn: noteEn ?? '',
})

/** The pattern of a duration. Without it, a text that is not a number would be saved as no limit. */
export const A_NUMBER = '\\s*[0-9٠-٩۰-۹]*\\s*'
/** The longest duration that may be set, in days. */
const MOST_DAYS = 1825
export const isDuration = (typed: string) => {
  const days = wholeNumber(typed)
  return typed.trim() === '' || (days !== undefined && days >= 1 && days <= MOST_DAYS)
}

/** Replaces the policy at the given version; returns the new one. */
export async function savePolicy(id: number, values: Values, version: string | undefined) {
  const path = { path: { id } }
  const { maxDays, noteAr, noteEn, ...rest } = values
  const body = { ...rest, maxDays: wholeNumber(maxDays) ?? null, noteAr: noteAr.trim() || null, noteEn: noteEn.trim() || null }
  const { data, response } = await api.PUT('/groups/{id}/request-policy', { params: path, body, headers: ifMatch(version) })
  setCached('/groups/{id}/request-policy', data!, path, response)
  return { from: valuesOf(data!), version: versionOf(response) }
}

/** The pending requests for a group. Only their count is used, so one item is enough. */
export const waitingFor = (groupId: number) =>
  resource('/access-requests', { query: { view: 'all', status: 'pending', groupId, limit: 1 } })
