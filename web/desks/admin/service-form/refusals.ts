/** Finds the fields of a form that a refusal is about. */
import type { Fields } from './model.ts'

export interface Detail {
  path: string
  rule: string
  messageAr: string
  messageEn: string
}
/** A detail of a refusal about a field, at a path inside it, such as `options.2.ar`. */
export interface Fault extends Omit<Detail, 'path'> {
  key: string
  at: string
}

/** The details with the keys of the sent fields, because fields may have been moved since. */
export const faultsIn = (details: readonly Detail[], sent: Fields): Fault[] =>
  details.flatMap(({ path, ...rest }) => {
    const [, place, at = ''] = /^fields[./](\d+)(?:[./](.*))?$/.exec(path) ?? []
    const field = sent[Number(place)]
    return place === undefined || !field ? [] : [{ ...rest, key: field.key, at: at.replaceAll('/', '.') }]
  })
