import { invalidate, resource, setCached } from '../../platform/cache.ts'
import { api, ifMatch, type Schemas, versionOf } from '../../platform/client.ts'

export type Handling = Schemas['ServiceHandling']
export type HandlingFields = Omit<Handling, 'openGroupIds'>
export const handlingOf = (id: number) => resource('/services/{id}/handling', { path: { id } })
export const handlingFields = ({ openGroupIds: _, ...fields }: Handling): HandlingFields => fields

/** Replaces who may order a service and who does it. */
export async function saveHandling(id: number, body: HandlingFields, version: string | undefined) {
  const path = { path: { id } }
  const { data, response } = await api.PUT('/services/{id}/handling', { params: path, body, headers: ifMatch(version) })
  setCached('/services/{id}/handling', data!, path, response)
  invalidate('/service-catalogue', '/service-teams', '/service-teams/{id}')
  return { from: handlingFields(data!), version: versionOf(response) }
}
