import { invalidate, resource, setCached } from '../../platform/cache.ts'
import { api, ifMatch, type Schemas, versionOf } from '../../platform/client.ts'

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
