/** Fills an empty portal over HTTP, as an administrator would. */

import { holdMeetings } from './meetings.ts'
import { exchangeNotes } from './notes.ts'
import { apps, departed, groups, people, roles } from './organisation.ts'
import { makeRequests } from './requests.ts'
import { categories, orders, services } from './services.ts'

const PASSWORD = 'bawaba-demo'

interface Named {
  id: number
  name: string
}

/** Signs someone in; returns a function that makes their calls, all of which must succeed. */
async function signIn(base: string, username: string, password: string) {
  let cookie = ''
  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${base}/api${path}`, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), cookie },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    cookie ||= response.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    return (response.status === 204 ? undefined : await response.json()) as T
  }
  await call('POST', '/auth/login', { username, password })
  return call
}
type Call = Awaited<ReturnType<typeof signIn>>

/** Signs each person in once, by username. */
function signInOnce(base: string) {
  const signedIn = new Map<string, Call>()
  return async (username: string) => {
    const call = signedIn.get(username) ?? (await signIn(base, username, PASSWORD))
    signedIn.set(username, call)
    return call
  }
}

/** Returns who can sign in. A portal that has people already is left alone. */
export async function fill(base: string, admin: { username: string; password: string }) {
  const call = await signIn(base, admin.username, admin.password)
  const known = await call<{ username: string }[]>('GET', '/users')
  if (known.length === 1) {
    const roleIds = await addRoles(call)
    const groupIds = await addGroups(call, roleIds)
    await addPeople(call, groupIds)
    const appIds = await addApps(call, groupIds)
    await openApps(base, appIds)
    await placeOrders(base, await addServices(call))
    await passNotes(call, base)
    await holdMeetings(call, (username) => signIn(base, username, PASSWORD))
    await makeRequests((username) => signIn(base, username, PASSWORD))
  }
  return describeCast(admin)
}

async function addRoles(call: Call) {
  const permissions = await call<Named[]>('GET', '/permissions')
  const ids = new Map<string, number>()
  for (const { name, descriptionAr, descriptionEn, permissions: held } of roles) {
    const { id } = await call<Named>('POST', '/roles', { name, descriptionAr, descriptionEn })
    await call('PUT', `/roles/${id}/permissions`, {
      permissionIds: permissions.filter((one) => held.includes(one.name)).map((one) => one.id),
    })
    ids.set(name, id)
  }
  return ids
}

async function addGroups(call: Call, roleIds: Map<string, number>) {
  const ids = new Map<string, number>()
  for (const { key, ...group } of groups) {
    const granted = roles
      .filter((role) => role.groups.includes(key) && role.name !== 'department_head')
      .map((role) => roleIds.get(role.name))
    const { id } = await call<Named>('POST', '/groups', { ...group, roleIds: granted })
    ids.set(key, id)
  }
  return ids
}

async function addPeople(call: Call, groupIds: Map<string, number>) {
  for (const { username, displayNameAr, displayNameEn, group, roles: held } of people) {
    const preferredLanguage = username.length % 3 ? 'ar' : 'en'
    const person = { username, email: `${username}@example.org`, password: PASSWORD, displayNameAr, displayNameEn, preferredLanguage }
    const { id } = await call<Named>('POST', '/users', { ...person, groupIds: [groupIds.get(group)] })
    for (const roleName of held) await call('POST', `/users/${id}/roles`, { roleName })
    if (departed.includes(username)) await call('PATCH', `/users/${id}`, { isActive: false })
  }
}

async function addApps(call: Call, groupIds: Map<string, number>) {
  const permissions = await call<Named[]>('GET', '/permissions')
  const ids = new Map<string, number>()
  for (const [
    order,
    { permissions: needed = [], groups: granted = [], externalUrl, openMode = 'external_tab', ...app },
  ] of apps.entries()) {
    const { id } = await call<Named>('POST', '/apps', {
      route: `/apps/${app.slug}`,
      ...app,
      sortOrder: order * 10,
      ...(externalUrl && { externalUrl, openMode }),
      permissionIds: permissions.filter((one) => needed.includes(one.name)).map((one) => one.id),
    })
    for (const key of granted) await call('POST', `/groups/${groupIds.get(key)}/apps`, { appId: id })
    ids.set(app.slug, id)
  }
  return ids
}

/** App opens of a morning, so that the statistics are not empty. */
async function openApps(base: string, appIds: Map<string, number>) {
  for (const { username } of people.filter((_, index) => index % 4 === 0)) {
    const call = await signIn(base, username, PASSWORD)
    for (const slug of ['news', 'directory', 'helpdesk', 'calendar'].slice(0, 1 + (username.length % 4))) {
      await call('POST', `/apps/${appIds.get(slug)}/open`)
    }
  }
}

async function addServices(call: Call) {
  const categoryIds = new Map<string, number>()
  for (const [order, { key, ...category }] of categories.entries()) {
    const { id } = await call<Named>('POST', '/service-categories', { ...category, sortOrder: order * 10 })
    categoryIds.set(key, id)
  }
  const ids = new Map<string, number>()
  for (const [order, { key, category, isAvailable = true, ...service }] of services.entries()) {
    const fields = { ...service, categoryId: categoryIds.get(category), isAvailable, sortOrder: order * 10 }
    ids.set(key, (await call<Named>('POST', '/services', fields)).id)
  }
  return ids
}

/** Orders in every state, moved there by the people who would move them. */
async function placeOrders(base: string, serviceIds: Map<string, number>) {
  const as = signInOnce(base)
  for (const { by, service, notes = null, receiver, moves = [], isCancelled = false } of orders) {
    const requester = await as(by)
    const { id } = await requester<Named>('POST', '/orders', { serviceId: serviceIds.get(service), notes })
    if (receiver) await (await as(receiver))('PATCH', `/orders/${id}/confirm-receipt`)
    for (const status of moves) await (await as(receiver!))('PATCH', `/orders/${id}/status`, { status })
    if (isCancelled) await requester('PATCH', `/orders/${id}/status`, { status: 'cancelled' })
  }
}

async function passNotes(call: Call, base: string) {
  const everyone = await call<{ id: number; username: string }[]>('GET', '/users')
  await exchangeNotes(signInOnce(base), new Map(everyone.map(({ id, username }) => [username, id])))
}

function describeCast(admin: { username: string; password: string }) {
  const line = (username: string, does: string) => `  ${username.padEnd(10)} ${does}`
  return [
    '',
    `Sign in with the password ${PASSWORD}:`,
    line(admin.username, 'administrator of the portal'),
    line('omar', 'administrator, head of Information Technology'),
    line('sultan', 'chief executive'),
    line('maha', 'manager of the executive office'),
    line('layla', 'receiver of service orders'),
    line('huda', 'head of Human Resources'),
    line('noura', 'head of Finance'),
    line('dana', 'member of staff'),
    `…and ${people.length - 7} more: ${people.map(({ username }) => username).join(', ')} (${departed.join(', ')} has left).`,
    '',
  ].join('\n')
}
