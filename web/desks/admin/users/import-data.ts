/** Files of people: sent, previewed, applied. */
import { resource } from '../../../platform/cache.ts'
import { answer, api, idempotencyKey, type Schemas, shownOnce } from '../../../platform/client.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { at } from '../../../platform/router.ts'

export type Import = Schemas['Import']
export type ImportRow = Schemas['ImportRow']
export type Verdict = ImportRow['verdict']

export const importOf = (id: number) => resource('/users/imports/{id}', { path: { id } })
const AT_ONCE = 50
export const rowsOf = (id: number, verdict: Verdict | undefined) => (offset: number) =>
  resource('/users/imports/{id}/rows', { path: { id }, query: { limit: AT_ONCE, offset, ...(verdict && { verdict }) } })

export const reportOf = (id: number) => at(`/api/users/imports/${id}/report.csv`)

/** Sends a file. Returns the id of its import or, if another import is already under way, the id of that import. */
export async function sendFile(file: File): Promise<number> {
  const params = { query: { fileName: file.name.slice(0, 255) } }
  try {
    // A new key for each call, because a changed file may have the same name.
    const headers = { 'Content-Type': 'text/csv', 'Idempotency-Key': idempotencyKey() }
    return (await answer(api.POST('/users/imports', { params, body: file, headers }))).id
  } catch (failure) {
    if (failure instanceof Refusal && failure.code === 'import_under_way') return failure.body['importId'] as number
    throw failure
  }
}

export const apply = (id: number, body: Schemas['ImportApply']) =>
  answer(api.POST('/users/imports/{id}/apply', { params: { path: { id } }, body }))

/** The links of all new people. The portal gives them only once. */
export async function takeLinks(id: number) {
  const links = await answer(api.POST('/users/imports/{id}/links', { params: { path: { id } } }))
  return links.map(({ resetUrl, ...link }) => ({ ...link, resetUrl: shownOnce(resetUrl) }))
}
