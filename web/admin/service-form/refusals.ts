/** Which field of a form a refusal is about. */
import type { Fields } from './model.ts'

export interface Detail {
  path: string
  rule: string
  messageAr: string
  messageEn: string
}
/** A refusal of a field, at a path inside it, such as `options.2.ar`. */
export interface Fault extends Omit<Detail, 'path'> {
  key: string
  at: string
}

/** The refusals by the keys that the fields had when they were sent: they may have been moved since. */
export const faultsIn = (details: readonly Detail[], sent: Fields): Fault[] =>
  details.flatMap(({ path, ...rest }) => {
    const [, place, at = ''] = /^fields[./](\d+)(?:[./](.*))?$/.exec(path) ?? []
    const field = sent[Number(place)]
    return place === undefined || !field ? [] : [{ ...rest, key: field.key, at: at.replaceAll('/', '.') }]
  })
