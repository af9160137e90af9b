/** Makes the records that tests need over HTTP, each with a unique name. */
import assert from 'node:assert/strict'
import type { Answer, TestPortal } from './portal.ts'

export const silence = { audit: [], histories: [], notices: [], events: [] }

/** Makes calls; returns their traces and their answers. */
export function tracing(portal: TestPortal) {
  async function traced(act: () => Promise<Answer>) {
    let answer!: Answer
    const traces = await portal.traces(async () => (answer = await act()))
    return { ...traces, answer }
  }
  /** Makes a call and asserts that it left no trace. */
  async function silent(act: () => Promise<Answer>) {
    const { answer, ...traces } = await traced(act)
    assert.deepEqual(traces, silence)
    return answer
  }
  return { traced, silent }
}

export const ascending = (ids: readonly number[]) => ids.toSorted((one, other) => one - other)
export const idsIn = (answer: { body: { id: number }[] }) => answer.body.map(({ id }) => id)
export const appsChangedFor = (...people: { id: number }[]) => ({
  event: 'apps_changed',
  data: {},
  to: ascending(people.map(({ id }) => id)),
})
/** The events that tell people that their roles or groups changed. */
export const accessChangedFor = (...ids: number[]) =>
  ['apps_changed', 'me_changed'].map((event) => ({ event, data: {}, to: ascending(ids) }))
export const meChangedFor = (id: number) => ({ event: 'me_changed', data: {}, to: [id] })
export const servicesChanged = { event: 'services_changed', data: {}, to: null }
export const appsChangedForAll = { event: 'apps_changed', data: {}, to: null }

interface Named {
  id: number
  name: string
}
interface MadeService {
  id: number
  nameAr: string
  nameEn: string
  updatedAt: string
}
interface MadeApp {
  id: number
  slug: string
  nameAr: string
  nameEn: string
  updatedAt: string
}

export const serviceNames = { nameAr: 'قهوة', nameEn: 'Coffee' }
export const categoryNames = { nameAr: 'ضيافة', nameEn: 'Hospitality' }

let made = 0
const fresh = (word: string) => `${word}${++made}`

export function makers(portal: TestPortal) {
  async function make<T>(path: string, body: object) {
    const answer = await portal.admin.post(path, body)
    if (answer.status !== 201) throw new Error(`${path} ${answer.text}`)
    return answer.body as T
  }
  const appFields = () => ({ slug: fresh('app-'), nameAr: 'تطبيق', nameEn: 'App', iconName: 'box', route: '/app', color: '#0af' })
  const list = async (path: string) => (await portal.admin.get(path)).body as Named[]

  /** The ids of the permissions with these names, in the order of `names`. */
  async function idsOfPermissions(...names: string[]) {
    const all = await list('/permissions')
    return names.map((name) => all.find((permission) => permission.name === name)!.id)
  }
  async function newRole(permissions: string[] = [], name = fresh('role')) {
    const role = await make<Named>('/roles', { name })
    if (permissions.length)
      await portal.admin.put(`/roles/${role.id}/permissions`, { permissionIds: await idsOfPermissions(...permissions) })
    return role
  }
  const newPerson = (fields: Parameters<TestPortal['person']>[1] = {}) => portal.person(fresh('person'), fields)

  return {
    list,
    idsOfPermissions,
    newRole,
    newPerson,
    appFields,
    /** A team of a new group, unless `fields` name its groups. */
    async newTeam(fields: { groupIds?: number[]; leadUserIds?: number[]; calendarId?: number } = {}) {
      const name = fresh('team')
      const groupIds = fields.groupIds ?? [(await make<Named>('/groups', { name: fresh('group') })).id]
      return make<{ id: number; groupIds: number[]; nameEn: string }>('/service-teams', { nameAr: name, nameEn: name, ...fields, groupIds })
    },
    /** A calendar with working time around the clock, every day. */
    newCalendar(fields: object = {}) {
      const name = fresh('calendar')
      const weekly = Array.from({ length: 7 }, () => [{ from: '00:00', to: '24:00' }])
      return make<{ id: number }>('/working-calendars', { nameAr: name, nameEn: name, weekly, ...fields })
    },
    newApp: (fields: object = {}) => make<MadeApp>('/apps', { ...appFields(), ...fields }),
    newService: (fields: object = {}) => make<MadeService>('/services', { ...serviceNames, ...fields }),
    newCategory: (fields: object = {}) => make<MadeService>('/service-categories', { ...categoryNames, ...fields }),
    newGroup: (fields: object = {}) => make<Named>('/groups', { name: fresh('group'), ...fields }),
    newPermission: () => make<Named>('/permissions', { name: fresh('test.made') }),
    roleNamed: async (name: string) => (await list('/roles')).find((role) => role.name === name)!,
    /** A person with the role `what` or, if `what` names a permission, with a new role that grants it. */
    holderOf: async (what: Named | string) => newPerson({ roles: [typeof what === 'string' ? (await newRole([what])).name : what.name] }),
  }
}
