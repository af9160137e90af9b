import { invalidate, resource, setCached } from '../../../platform/cache.ts'
import { api, guess, ifMatch, type Schemas, versionOf } from '../../../platform/client.ts'
import { Refusal } from '../../../platform/refusal.ts'

type Notice = Schemas['ServiceNotice']
/** The notice as a form edits it: a missing text is ''. */
export interface NoticeFields {
  noticeAr: string
  noticeEn: string
  paused: boolean
  until: string | null
  /** Options of the form that are sold out, as `field.option`. */
  offOptions: string[]
}
export const noticeOf = (id: number) => resource('/services/{id}/notice', { path: { id } })
export const formOf = (id: number) => resource('/services/{id}/form', { path: { id } })
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

const withOption = (all: readonly string[], option: string, isOff: boolean) => [
  ...all.filter((one) => one !== option),
  ...(isOff ? [option] : []),
]

/** Changes one option in the newest notice. If somebody else changes the notice at the same time, it tries again. */
async function putOption(id: number, option: string, isOff: boolean): Promise<{ data: Notice }> {
  const notice = noticeOf(id)
  const path = { path: { id } }
  await notice.refresh()
  const now = await notice.load()
  try {
    const body = { ...now, offOptions: withOption(now.offOptions, option, isOff) }
    const { data, response } = await api.PUT('/services/{id}/notice', { params: path, body, headers: ifMatch(notice.version) })
    setCached('/services/{id}/notice', data!, path, response)
    invalidate('/service-catalogue')
    return { data: data! }
  } catch (failure) {
    if (failure instanceof Refusal && failure.code === 'changed_meanwhile') return putOption(id, option, isOff)
    throw failure
  }
}

/** Marks an option as sold out or as available again. The page shows it at once. */
export const markSoldOut = (id: number, option: string, isOff: boolean) =>
  guess(
    noticeOf(id).change((now) => ({ ...now, offOptions: withOption(now.offOptions, option, isOff) })),
    putOption(id, option, isOff),
  )
