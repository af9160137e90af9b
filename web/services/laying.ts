/** The current form of a service, filled with the answers of an earlier order. */
import { settings } from '../frame/site.ts'
import { asGiven, judge, lay } from '../parts/answers/judging.ts'
import { resource } from '../platform/cache.ts'
import { portalNow, type Schemas } from '../platform/client.ts'
import { today } from '../platform/dates.ts'
import { entryOf, type NewOrder, type Service } from './data.ts'

export type Form = Schemas['ServiceForm']

/** Reads the current form; without a connection, the version that this device read last. */
export async function readForm(serviceId: number): Promise<Form> {
  const form = resource('/services/{id}/form', { path: { id: serviceId } })
  await form.refresh()
  return form.peek() ?? form.load()
}

function officeToday() {
  const timeZone = settings.peek()?.timeZone
  // Swedish dates are written as ISO has them.
  return timeZone ? new Intl.DateTimeFormat('sv', { timeZone }).format(portalNow()) : today()
}
/** The circumstances in which answers are judged: the date, the time, and the options that are sold out. */
export const aroundOf = (service: Service) => ({ today: officeToday(), now: portalNow(), offOptions: entryOf(service).offOptions })

/** Fills a form with the answers of an earlier order, except files and moments. */
export async function layAgain(service: Service, orderId: number, { fields }: Form) {
  const { fields: former, answers } = await resource('/orders/{id}/details', { path: { id: orderId } }).load()
  const given = asGiven(former ?? [], answers ?? {})
  const around = aroundOf(service)
  const laid = lay({ fields: former ?? [], given }, fields, around)
  return { ...laid, judgement: judge(fields, laid.given, around) }
}

/** The body that repeats an order; undefined if its answers no longer fit the form. */
export async function sameAgain(service: Service, { id, notes }: Schemas['ServiceOrder']): Promise<NewOrder | undefined> {
  const form = await readForm(service.id)
  const { judgement } = await layAgain(service, id, form)
  const { answers, errors } = judgement
  return errors.length ? undefined : { serviceId: service.id, notes, formVersion: form.version, answers }
}
