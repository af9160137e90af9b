/** The people of the office: everyone who may see its meetings. */
import { resource } from '../../../platform/cache.ts'
import type { Schemas } from '../../../platform/client.ts'
import { isolated, nameOf, texts } from '../../../platform/language.ts'

const ar = { former: 'من لم يعد في المكتب' }
const en: typeof ar = { former: 'Somebody who left the office' }
const t = texts({ ar, en })

export const people = resource('/executive-meetings/people')
/** A person of the office; undefined for anybody else. */
export const personOf = (id: number) => people.data?.find((one) => one.id === id)
/**
 * The name of a person of the office or among `others`, the people that a record names; for anybody else, a text that the person has left
 * the office; '' until the people are loaded.
 */
export function calledOf(id: number, ...others: (Schemas['PersonSummary'] | null | undefined)[]) {
  const person = personOf(id) ?? others.find((one) => one?.id === id)
  return person ? nameOf(person) : people.data ? t.former : ''
}
/** The names of people who may decide on requests, except the given ones. */
export const decidersBut = (...ids: (number | undefined)[]) =>
  (people.data ?? []).filter((one) => one.canApprove && !ids.includes(one.id)).map((one) => isolated(nameOf(one)))
