import { invalidate, setCached } from '../../../platform/cache.ts'
import { api, ifMatch, type Schemas, versionOf } from '../../../platform/client.ts'
import type { FormField } from './model.ts'

export { formOf, noticeOf } from '../../../parts/show/service-notice/data.ts'

export type ServiceForm = Schemas['ServiceForm']
export interface Edited {
  fields: FormField[]
}
export const editedOf = ({ fields }: ServiceForm): Edited => ({ fields: fields as FormField[] })

/** Replaces the form of a service. */
export async function saveForm(id: number, { fields }: Edited, version: string | undefined) {
  const path = { path: { id } }
  const { data, response } = await api.PUT('/services/{id}/form', { params: path, body: { fields }, headers: ifMatch(version) })
  setCached('/services/{id}/form', data!, path, response)
  invalidate('/service-catalogue', '/services/{id}/notice')
  return { from: editedOf(data!), version: versionOf(response) }
}
