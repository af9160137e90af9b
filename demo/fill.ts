/** Fills an empty portal over HTTP with the acts of its people, and then spreads the times of their records over three weeks. */
import type pg from 'pg'
import { accessActs } from './access.ts'
import { type As, type Call, signIn } from './calls.ts'
import { dateRecords } from './dating.ts'
import { formDays } from './forms.ts'
import { arrivalActs, openingActs, readingActs } from './habits.ts'
import { addApprovals, addForms, addHandlings, addTeams } from './handlings.ts'
import { meetingActs } from './meetings.ts'
import { noteActs } from './notes.ts'
import { orderActs } from './orders.ts'
import { FIRST_DAY } from './organisation/calendar.ts'
import { administrator, apps, departed, groups, LEAVING_DAY, managerOf, people, roles } from './organisation/organisation.ts'
import { pages } from './pages/pages.ts'
import { addPastOrders } from './past-orders.ts'
import { requestActs } from './requests.ts'
import { categories, services } from './services.ts'
import { type Act, play, type When } from './story.ts'

const PASSWORD = 'bawaba-demo'

interface NamedRow {
  id: number
  name: string
}

interface Site {
  /** The portal's URL. */
  base: string
  /** The URL of the pages that its apps lead to. */
  pagesUrl: string
  admin: { username: string; password: string }
  connection: pg.PoolConfig
  say(line: string): void
}

/** The ids of the records, by the names that the demo gives them. */
const newIds = () => ({
  roles: new Map<string, number>(),
  groups: new Map<string, number>(),
  users: new Map<string, number>(),
  apps: new Map<string, number>(),
  categories: new Map<string, number>(),
  services: new Map<string, number>(),
  teams: new Map<string, number>(),
})
type Ids = ReturnType<typeof newIds>

/** Returns the people who can sign in. In a portal that has people, only the URL of the pages is updated. */
export async function fill({ base, pagesUrl, admin, connection, say }: Site) {
  const call = await signIn(base, admin.username, admin.password)
  const known = await call<{ username: string }[]>('GET', '/users')
  if (known.length > 1) await moveApps(call, pagesUrl)
  else {
    say('Filling it with three weeks of an organisation, which takes a moment')
    await dateRecords(
      connection,
      await play(actsOf(pagesUrl, admin.username, connection), signInOnce(base, admin.username, call), new Date()),
    )
  }
  return describePeople(admin)
}

/** Signs each person in once; the administrator is already signed in. */
function signInOnce(base: string, admin: string, call: Call): As {
  const signedIn = new Map([[admin, call]])
  return async (username) => {
    const known = signedIn.get(username) ?? (await signIn(base, username, PASSWORD))
    signedIn.set(username, known)
    return known
  }
}

function actsOf(pagesUrl: string, admin: string, connection: pg.PoolConfig): Act[] {
  const ids = newIds()
  const byAdmin = (when: When, until: string, work: (call: Call) => Promise<unknown>): Act => ({
    when,
    until,
    play: async (as) => work(await as(admin)),
  })
  const dayByDay = <T>(all: readonly T[], dayOf: (one: T) => number) => [...Map.groupBy(all, dayOf)]
  return [
    byAdmin([FIRST_DAY, '08:00'], '08:04', introduce),
    byAdmin([FIRST_DAY, '08:05'], '08:20', (call) => addGroups(call, ids)),
    ...dayByDay(people, ({ joined }) => joined).map(([day, some]) =>
      byAdmin([day, '08:21'], day === FIRST_DAY ? '08:50' : '08:23', (call) => addPeople(call, ids, some)),
    ),
    byAdmin([FIRST_DAY, '08:52'], '09:08', (call) => addApps(call, ids, pagesUrl)),
    byAdmin([FIRST_DAY, '09:50'], '09:52', (call) => addCategories(call, ids)),
    byAdmin([FIRST_DAY, '09:53'], '09:54', (call) => addTeams(call, ids)),
    ...dayByDay(services, ({ since }) => since).map(([day, some]) =>
      byAdmin([day, '09:55'], '10:10', async (call) => {
        await addServices(call, ids, some)
        await addHandlings(call, ids, some)
      }),
    ),
    byAdmin([FIRST_DAY, '10:11'], '10:12', () => addPastOrders(connection, ids)),
    byAdmin([0, '08:21'], '08:23', (call) => addApprovals(call, ids)),
    ...formDays.map((day) => byAdmin([day, '08:05'], '08:20', (call) => addForms(call, ids, day))),
    byAdmin([LEAVING_DAY, '14:00'], '14:02', async (call) => {
      for (const username of departed) await call('PATCH', `/users/${ids.users.get(username)}`, { isActive: false })
    }),
    ...arrivalActs(),
    ...openingActs(ids.apps),
    ...orderActs(ids.services, ids.users),
    ...noteActs(ids.users),
    ...meetingActs(ids.users),
    ...requestActs(),
    ...accessActs(ids, admin),
    ...readingActs(),
  ]
}

/** Gives the administrator a name, and the portal the machine's time zone and a currency. */
async function introduce(call: Call) {
  const { id } = await call<{ id: number }>('GET', '/auth/me')
  await call('PATCH', `/users/${id}`, administrator)
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone
  const { names } = await call<{ names: string[] }>('GET', '/settings/time-zones')
  await call('PATCH', '/settings', { timeZone: names.includes(own) ? own : 'UTC', currency: 'SAR' })
}

async function addGroups(call: Call, ids: Ids) {
  const permissions = await call<NamedRow[]>('GET', '/permissions')
  for (const { name, descriptionAr, descriptionEn, permissions: held } of roles) {
    const { id } = await call<NamedRow>('POST', '/roles', { name, descriptionAr, descriptionEn })
    const permissionIds = permissions.filter((one) => held.includes(one.name)).map((one) => one.id)
    await call('PUT', `/roles/${id}/permissions`, { permissionIds })
    ids.roles.set(name, id)
  }
  for (const { key, ...group } of groups) {
    const granted = roles
      .filter((role) => role.groups.includes(key) && role.name !== 'department_head')
      .map((role) => ids.roles.get(role.name))
    ids.groups.set(key, (await call<NamedRow>('POST', '/groups', { ...group, roleIds: granted })).id)
  }
}

async function addPeople(call: Call, ids: Ids, some: typeof people) {
  for (const { username, displayNameAr, displayNameEn, group, roles: held } of some) {
    const preferredLanguage = username.length % 3 ? 'ar' : 'en'
    const person = { username, email: `${username}@example.org`, password: PASSWORD, displayNameAr, displayNameEn, preferredLanguage }
    const { id } = await call<NamedRow>('POST', '/users', { ...person, groupIds: [ids.groups.get(group)] })
    for (const roleName of held) await call('POST', `/users/${id}/roles`, { roleName })
    ids.users.set(username, id)
  }
  const items = some.flatMap((person) => {
    const managerId = ids.users.get(managerOf(person) ?? '')
    return managerId === undefined ? [] : [{ userId: ids.users.get(person.username), managerId }]
  })
  await call('PUT', '/users/managers', { items })
}

/** The fields of an app that open its room or its page. */
function placeOf({ slug, route, opensInTab }: (typeof apps)[number], pagesUrl: string) {
  if (route) return { route }
  const [descriptionAr, descriptionEn] = pages.get(slug)![0].split(' | ')
  const openMode = opensInTab ? 'external_tab' : 'external_iframe'
  return { route: `/apps/${slug}`, externalUrl: `${pagesUrl}/${slug}`, openMode, descriptionAr, descriptionEn }
}

async function addApps(call: Call, ids: Ids, pagesUrl: string) {
  const permissions = await call<NamedRow[]>('GET', '/permissions')
  for (const [order, app] of apps.entries()) {
    const { permissions: needed = [], groups: granted = [], opensInTab: _, ...fields } = app
    const { id } = await call<NamedRow>('POST', '/apps', {
      ...fields,
      ...placeOf(app, pagesUrl),
      sortOrder: order * 10,
      permissionIds: permissions.filter((one) => needed.includes(one.name)).map((one) => one.id),
    })
    for (const key of granted) await call('POST', `/groups/${ids.groups.get(key)}/apps`, { appId: id })
    ids.apps.set(app.slug, id)
  }
}

/** Updates the URLs of apps if their pages are on another port than at the last start. */
async function moveApps(call: Call, pagesUrl: string) {
  const { hostname, origin } = new URL(pagesUrl)
  for (const { id, slug, externalUrl } of await call<{ id: number; slug: string; externalUrl: string | null }[]>('GET', '/admin/apps')) {
    const url = externalUrl && pages.has(slug) ? new URL(externalUrl) : undefined
    if (url && url.hostname === hostname && url.origin !== origin && url.pathname === `/${slug}`)
      await call('PATCH', `/apps/${id}`, { externalUrl: `${pagesUrl}/${slug}` })
  }
}

async function addCategories(call: Call, ids: Ids) {
  for (const [order, { key, ...category }] of categories.entries())
    ids.categories.set(key, (await call<NamedRow>('POST', '/service-categories', { ...category, sortOrder: order * 10 })).id)
}

async function addServices(call: Call, ids: Ids, some: typeof services) {
  for (const { key, category, since: _s, team: _t, minutes: _m, audience: _a, isAvailable = true, ...service } of some) {
    const sortOrder = services.findIndex((one) => one.key === key) * 10
    const fields = { ...service, categoryId: ids.categories.get(category), isAvailable, sortOrder }
    ids.services.set(key, (await call<NamedRow>('POST', '/services', fields)).id)
  }
}

function describePeople(admin: { username: string; password: string }) {
  const named = [
    [admin.username, 'administrator of the portal'],
    ['omar', 'administrator, head of Information Technology'],
    ['sultan', 'chief executive'],
    ['maha', 'manager of the executive office'],
    ['layla', 'receiver of service orders'],
    ['huda', 'head of Human Resources'],
    ['noura', 'head of Finance'],
    ['dana', 'member of staff'],
  ] as const
  const others = people.map(({ username }) => username).filter((username) => !named.some(([name]) => name === username))
  return [
    '',
    `Sign in with the password ${PASSWORD}:`,
    ...named.map(([username, does]) => `  ${username.padEnd(10)} ${does}`),
    `…and ${others.length} more: ${others.join(', ')} (${departed.join(', ')} has left).`,
    '',
  ].join('\n')
}
