/** The receivers and teams to whom an order can be passed on. */
import { resource } from '../../../platform/cache.ts'
import { answer, api, type Schemas } from '../../../platform/client.ts'
import { matches } from '../../../platform/folded.ts'
import { nameOf } from '../../../platform/language.ts'
import { t } from './texts.ts'

export type Receiver = Schemas['PersonSummary']

/**
 * Finds active people by part of a name: people who may receive the order or, without `orderId`, who may receive any order. Only people who
 * may assign orders can call it.
 */
export async function findReceivers(typed: string, orderId?: number): Promise<Receiver[]> {
  const query = { limit: 20, ...(typed && { q: typed }), ...(orderId && { orderId }) }
  return (await answer(api.GET('/orders/receivers', { params: { query } }))).map(({ user }) => user)
}

/** The title of a dialog that assigns an order of a service, or several orders. */
export const titleOf = (count: number, service: string) => (count === 1 ? t.assignTitle(service) : t.assignMany(count))
/** Returns a function that says, for a number of orders, that they were assigned to the person. */
export const assignedTo = (person: Receiver) => t.assignedMany(nameOf(person))

export type TeamName = Schemas['ServiceTeamName']
/** The teams to which an order may be handed over and whose name matches the typed text in either language. */
export const findTeams = async (typed: string) =>
  (await resource('/service-teams/names').load()).filter(({ nameAr, nameEn }) => matches(typed, nameAr, nameEn))
