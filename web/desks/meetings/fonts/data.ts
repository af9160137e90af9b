import { resource } from '../../../platform/cache.ts'
import { answer, api, type Schemas } from '../../../platform/client.ts'
import type { Language } from '../../../platform/language.ts'
import { at } from '../../../platform/router.ts'

export type Fields = Schemas['FontFields']
export type Family = Schemas['FontFamily']
export type Scope = Schemas['FontScope']

export const inForce = resource('/executive-meetings/font-settings')
export const families = resource('/executive-meetings/fonts')

/** Saves the person's own settings or everyone's, by `scope`. Without `fields`, removes them. */
export async function save(scope: Scope, fields: Fields | null) {
  if (fields) await answer(api.PUT('/executive-meetings/font-settings', { body: { scope, ...fields } }))
  else await answer(api.DELETE('/executive-meetings/font-settings', { params: { query: { scope } } }))
  await inForce.refresh()
}

/** The settings that a scope has of its own; null for none. */
export const storedFor = (scope: Scope, { own, global }: Schemas['FontSettingsInForce']) => (scope === 'user' ? own : global)

interface Asked {
  date: string
  language: Language
  settings: Fields
  page: number
}
/** A page as it would be printed, rendered as SVG. */
export async function preview(asked: Asked, signal: AbortSignal) {
  const page = await answer(
    api.POST('/executive-meetings/schedule-preview', { body: asked, signal, headers: { accept: 'application/json' } }),
  )
  // The endpoint answers other `Accept` headers with a picture or a PDF.
  if (!('svg' in page)) throw new TypeError('The preview is not JSON.')
  return page
}

/** The name of a family's face on this page. The prefix keeps it apart from the fonts that the portal's pages use. */
export const faceOf = ({ family }: Family) => `Printed ${family}`

const asked = new Set<string>()
/** Loads the face of a family. Until then, or if that fails, the family's name shows in the font of the page. */
export function loadFace(family: Family) {
  if (asked.has(family.family)) return
  asked.add(family.family)
  const face = new FontFace(faceOf(family), `url("${at(`/api${family.url}`)}")`)
  face.load().then(
    () => document.fonts.add(face),
    () => asked.delete(family.family),
  )
}
