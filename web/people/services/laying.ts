/** The current form of a service, filled with the answers of an earlier order. */
import { officeToday } from '../../frame/office.ts'
import { asGiven, isWhole, judge, lay } from '../../parts/forms/answers/judging.ts'
import { resource } from '../../platform/cache.ts'
import { portalNow, type Schemas } from '../../platform/client.ts'
import { Refusal } from '../../platform/refusal.ts'
import { me } from '../../platform/session.ts'
import type { Order } from '../orders/data.ts'
import { catalogue, entryOf, type NewOrder, placeAtOnce, type Service } from './data.ts'
import type { Whom } from './whom.ts'

export type Form = Schemas['ServiceForm']

/** Reads the current form; without a connection, the version that this device read last. */
export async function readForm(serviceId: number): Promise<Form> {
  const form = resource('/services/{id}/form', { path: { id: serviceId } })
  await form.refresh()
  return form.peek() ?? form.load()
}

/** The circumstances in which answers are judged: the date, the time, and the options that are sold out. */
export const aroundOf = (service: Service) => ({ today: officeToday(), now: portalNow(), offOptions: entryOf(service).offOptions })

/** Fills a form with the answers of an earlier order, except files and moments, and keeps the person for whom that order was. */
export async function layAgain(service: Service, orderId: number, { fields }: Form) {
  const { fields: former, answers, beneficiary } = await resource('/orders/{id}/details', { path: { id: orderId } }).load()
  const before = asGiven(former ?? [], answers ?? {})
  const around = aroundOf(service)
  const { given, marks } = lay({ fields: former ?? [], given: before }, fields, around)
  const whom: Whom = beneficiary && beneficiary.id !== me.peek()?.id ? { person: beneficiary } : null
  const judgement = judge(fields, given, around)
  return { given, marks, whom, answers: judgement.answers, fits: isWhole(before, marks, judgement) }
}

/**
 * The body that repeats an order. Undefined if the person has to check the form: the order was for somebody else, or its answers do not all
 * fit.
 */
async function sameAgain(service: Service, { id, notes }: Order): Promise<NewOrder | undefined> {
  const form = await readForm(service.id)
  const { answers, fits, whom } = await layAgain(service, id, form)
  if (whom || entryOf(service).isForOthers || !fits) return undefined
  return { serviceId: service.id, notes, formVersion: form.version, answers }
}

const isAboutAnswers = (failure: unknown) =>
  failure instanceof Refusal && (failure.code === 'form_changed' || failure.body.details?.some(({ path }) => path.startsWith('answers.')))

/** Repeats an order with the same notes and answers. Undefined if the person has to look at its form first. Throws other refusals. */
export async function orderAgain(service: Service, former: Order): Promise<Order | undefined> {
  // The catalogue says which options are sold out.
  await catalogue.load()
  const body = await sameAgain(service, former)
  try {
    return body && (await placeAtOnce(body))
  } catch (failure) {
    if (isAboutAnswers(failure)) return undefined
    throw failure
  }
}
