/** To whom an order can be passed on: the receivers who may take it, and the teams. */
import { resource } from '../../platform/cache.ts'
import { answer, api, type Schemas } from '../../platform/client.ts'
import { matches } from '../../platform/folded.ts'
import { nameOf } from '../../platform/language.ts'
import { t } from './texts.ts'

export type Receiver = Schemas['PersonSummary']

/** Active people who may receive orders, or this one, by part of a name; for those who may assign it. */
export async function findReceivers(typed: string, orderId?: number): Promise<Receiver[]> {
  const query = { limit: 20, ...(typed && { q: typed }), ...(orderId && { orderId }) }
  return (await answer(api.GET('/orders/receivers', { params: { query } }))).map(({ user }) => user)
}

/** The title of a dialog that assigns an order of a service, or several orders. */
export const titleOf = (count: number, service: string) => (count === 1 ? t.assignTitle(service) : t.assignMany(count))
/** Says by number how many orders were assigned to somebody. */
export const assignedTo = (person: Receiver) => t.assignedMany(nameOf(person))

export type TeamName = Schemas['ServiceTeamName']
/** The teams to which an order may be handed over and whose name matches the typed text in either language. */
export const findTeams = async (typed: string) =>
  (await resource('/service-teams/names').load()).filter(({ nameAr, nameEn }) => matches(typed, nameAr, nameEn))
