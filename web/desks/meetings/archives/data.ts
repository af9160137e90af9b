import { resource } from '../../../platform/cache.ts'
import { answer, api, type Schemas } from '../../../platform/client.ts'
import type { Language } from '../../../platform/language.ts'
import { Refusal, Unreached } from '../../../platform/refusal.ts'
import { at } from '../../../platform/router.ts'

export type Archive = Schemas['PdfArchive']

export const print = (date: string, language: Language) =>
  answer(api.POST('/executive-meetings/pdf-archives', { body: { date, language } }))

/** The letters of a day's texts that are missing from every font and would be printed as �. */
export const lackingOf = (date: string, language: Language) => resource('/executive-meetings/unprintable', { query: { date, language } })

/** The address of an archive's PDF. */
export const fileOf = ({ id }: Pick<Archive, 'id'>) => at(`/api/executive-meetings/pdf-archives/${id}/file`)

/** A sheet that does not arrive within this time counts as lost. */
const LIMIT_MS = 120_000

/** Fetches the PDF of an archive. A frame may show only a `blob:`, never an address of the portal. */
export async function fetchFile(archive: Pick<Archive, 'id'>, signal: AbortSignal) {
  const lost = (failure: unknown) => {
    throw signal.aborted ? failure : new Unreached()
  }
  const response = await fetch(fileOf(archive), { signal: AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]) }).catch(lost)
  if (!response.ok)
    throw new Refusal(response.status, await response.json().catch(() => ({})), Number(response.headers.get('retry-after')) || undefined)
  return response.blob().catch(lost)
}
