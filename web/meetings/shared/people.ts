/** The people of the office: everyone who may see its meetings. */
import { resource } from '../../platform/cache.ts'
import type { Schemas } from '../../platform/client.ts'
import { isolated, nameOf, texts } from '../../platform/language.ts'

const ar = { former: 'من لم يعد في المكتب' }
const en: typeof ar = { former: 'Somebody who left the office' }
const t = texts({ ar, en })

export const people = resource('/executive-meetings/people')
/** One of them, where they still are one. */
export const personOf = (id: number) => people.data?.find((one) => one.id === id)
/** What somebody is called, who may be one of the `others` that records name; '' until that is known. */
export function calledOf(id: number, ...others: (Schemas['PersonSummary'] | null | undefined)[]) {
  const person = personOf(id) ?? others.find((one) => one?.id === id)
  return person ? nameOf(person) : people.data ? t.former : ''
}
/** The names of those who decide on requests, except some. */
export const decidersBut = (...ids: (number | undefined)[]) =>
  (people.data ?? []).filter((one) => one.canApprove && !ids.includes(one.id)).map((one) => isolated(nameOf(one)))
