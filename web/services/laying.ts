/** The form of a service as it is now, with the answers of an earlier order laid into it. */
import { settings } from '../frame/site.ts'
import { asGiven, judge, lay } from '../parts/answers/judging.ts'
import { resource } from '../platform/cache.ts'
import { portalNow, type Schemas } from '../platform/client.ts'
import { today } from '../platform/dates.ts'
import { entryOf, type NewOrder, type Service } from './data.ts'

export type Form = Schemas['ServiceForm']

/** Reads the form as it is now; without a connection, as this device last read it. */
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
/** What a page knows of the circumstances in which answers are judged. */
export const aroundOf = (service: Service) => ({ today: officeToday(), now: portalNow(), offOptions: entryOf(service).offOptions })

/** Lays the answers of an earlier order, but for files and moments, into a form. */
export async function layAgain(service: Service, orderId: number, { fields }: Form) {
  const { fields: former, answers } = await resource('/orders/{id}/details', { path: { id: orderId } }).load()
  const given = asGiven(former ?? [], answers ?? {})
  const around = aroundOf(service)
  const laid = lay({ fields: former ?? [], given }, fields, around)
  return { ...laid, judgement: judge(fields, laid.given, around) }
}

/** What orders the same again; undefined if the answers no longer fit the form. */
export async function sameAgain(service: Service, { id, notes }: Schemas['ServiceOrder']): Promise<NewOrder | undefined> {
  const form = await readForm(service.id)
  const { judgement } = await layAgain(service, id, form)
  const { answers, errors } = judgement
  return errors.length ? undefined : { serviceId: service.id, notes, formVersion: form.version, answers }
}
