import { invalidate, resource, setCached } from '../../../platform/cache.ts'
import { api, ifMatch, type Schemas, versionOf } from '../../../platform/client.ts'
import { minutesIn, typedOf } from './minutes.ts'

export type Handling = Schemas['ServiceHandling']
export type Step = Schemas['ApprovalStep']
/** The values of the form. Targets are texts as typed; '' means that there is no target. */
export interface HandlingFields extends Omit<Handling, 'openGroupIds' | 'receiveMinutes' | 'completeMinutes'> {
  receiveMinutes: string
  completeMinutes: string
}
export const handlingOf = (id: number) => resource('/services/{id}/handling', { path: { id } })
export const handlingFields = ({ openGroupIds: _, receiveMinutes, completeMinutes, ...rest }: Handling): HandlingFields => ({
  ...rest,
  receiveMinutes: typedOf(receiveMinutes),
  completeMinutes: typedOf(completeMinutes),
})

/** Replaces the audience, the team, the targets and the approvals of a service. */
export async function saveHandling(id: number, values: HandlingFields, version: string | undefined) {
  const path = { path: { id } }
  const body = { ...values, receiveMinutes: minutesIn(values.receiveMinutes), completeMinutes: minutesIn(values.completeMinutes) }
  const { data, response } = await api.PUT('/services/{id}/handling', { params: path, body, headers: ifMatch(version) })
  setCached('/services/{id}/handling', data!, path, response)
  invalidate('/service-catalogue', '/service-teams', '/service-teams/{id}')
  return { from: handlingFields(data!), version: versionOf(response) }
}
