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

type Notice = Schemas['ServiceNotice']
/** Empty texts stand for missing ones. */
export interface NoticeFields {
  noticeAr: string
  noticeEn: string
  paused: boolean
  until: string | null
}
export const noticeOf = (id: number) => resource('/services/{id}/notice', { path: { id } })
export const noticeFields = ({ noticeAr, noticeEn, ...rest }: Notice): NoticeFields => ({
  ...rest,
  noticeAr: noticeAr ?? '',
  noticeEn: noticeEn ?? '',
})

/** Replaces the notice about a service. */
export async function saveNotice(id: number, { noticeAr, noticeEn, ...rest }: NoticeFields, version: string | undefined) {
  const path = { path: { id } }
  const body = { ...rest, noticeAr: noticeAr.trim() || null, noticeEn: noticeEn.trim() || null }
  const { data, response } = await api.PUT('/services/{id}/notice', { params: path, body, headers: ifMatch(version) })
  setCached('/services/{id}/notice', data!, path, response)
  invalidate('/service-catalogue')
  return { from: noticeFields(data!), version: versionOf(response) }
}
