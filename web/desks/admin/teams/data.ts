import { invalidate, resource, setCached } from '../../../platform/cache.ts'
import { answer, api, ifMatch, type Schemas, versionOf } from '../../../platform/client.ts'
import { Refusal } from '../../../platform/refusal.ts'

export type Team = Schemas['ServiceTeam']
export type ListedTeam = Schemas['ListedServiceTeam']

/** All teams, for administrators. */
export const teams = resource('/service-teams', { query: { view: 'all' } })
export const teamOf = (id: number) => resource('/service-teams/{id}', { path: { id } })

export interface Fields {
  nameAr: string
  nameEn: string
  groupIds: number[]
  leadUserIds: number[]
  /** null: the default calendar. */
  calendarId: number | null
}
export const blank: Fields = { nameAr: '', nameEn: '', groupIds: [], leadUserIds: [], calendarId: null }
export const fieldsOf = ({ nameAr, nameEn, groupIds, leadUserIds, calendarId }: Team): Fields => ({
  ...{ nameAr, nameEn, groupIds, leadUserIds, calendarId },
})

const isSame = (one: string, other: string) => one.trim().toLowerCase() === other.trim().toLowerCase()
/** The field whose name is taken by a different team. */
export const takenField = ({ nameAr }: Fields, id?: number) =>
  teams.peek()?.some((team) => team.id !== id && isSame(team.nameAr, nameAr)) === false ? 'nameEn' : 'nameAr'

export async function createTeam(body: Fields) {
  const made = await answer(api.POST('/service-teams', { body }))
  invalidate('/service-teams')
  return made
}

export async function changeTeam(id: number, body: Partial<Fields>, version: string | undefined) {
  const path = { path: { id } }
  const { data, response } = await api.PATCH('/service-teams/{id}', { params: path, body, headers: ifMatch(version) })
  setCached('/service-teams/{id}', data!, path, response)
  invalidate('/service-teams', '/service-catalogue')
  return { from: fieldsOf(data!), version: versionOf(response) }
}

/** The numbers of records that prevent the deletion of a team. */
interface Work {
  services: number
  orders: number
}

/** Deletes a team. If records prevent that, returns their numbers instead. */
export async function removeTeam(id: number): Promise<Work | undefined> {
  try {
    await answer(api.DELETE('/service-teams/{id}', { params: { path: { id } } }))
    invalidate('/service-teams')
    return undefined
  } catch (failure) {
    if (!(failure instanceof Refusal && failure.code === 'has_dependents')) throw failure
    return { services: Number(failure.body['serviceCount']), orders: Number(failure.body['openOrderCount']) }
  }
}
