import { withOrder } from '../../../parts/lists/ordered/order.ts'
import { invalidate, resource, setCached } from '../../../platform/cache.ts'
import { answer, api, guess, ifMatch, type Schemas, versionOf } from '../../../platform/client.ts'
import { Refusal } from '../../../platform/refusal.ts'

export type App = Schemas['App']
export type ListedApp = Schemas['AppInAdminList']

export const apps = resource('/admin/apps')
export const permissions = resource('/permissions')
export const oneApp = (id: number) => resource('/apps/{id}', { path: { id } })
/** All permissions and groups that decide who sees an app. */
export const accessOf = (id: number) => resource('/apps/{id}/access', { path: { id } })
const GROUPS = 200
const groupsAt = (id: number, offset: number) =>
  resource('/apps/{id}/dependents/groups', { path: { id }, query: { limit: GROUPS, offset } })
/** The groups whose members see an app, as far as they are loaded; `count` is the number of these groups. */
export const groupsOf = (id: number, count: number) =>
  Array.from({ length: Math.ceil(count / GROUPS) }, (_, page) => groupsAt(id, page * GROUPS)).flatMap(({ data }) => data?.items ?? [])
export const audienceOf = (id: number, q: string, limit: number) =>
  resource('/apps/{id}/audience', { path: { id }, query: { ...(q && { q }), limit } })
export const opensOf = (id: number) =>
  resource('/stats/admin/app-opens/by-app/{appId}', { path: { appId: id }, query: { range: '30d', limit: 100 } })
export const historyOf = (id: number, offset: number) => resource('/apps/{id}/audit', { path: { id }, query: { limit: 25, offset } })
/** The lists of records that depend on an app, each loaded in pages. */
export const dependentsOf = (id: number) => ({
  groups: (offset: number) => resource('/apps/{id}/dependents/groups', { path: { id }, query: { offset } }),
  restrictions: (offset: number) => resource('/apps/{id}/dependents/restrictions', { path: { id }, query: { offset } }),
  opens: (offset: number) => resource('/apps/{id}/dependents/opens', { path: { id }, query: { offset } }),
})

export const openModes = ['internal', 'external_tab', 'external_iframe'] as const
/** The values of the form. Empty texts stand for missing values. */
export interface Fields {
  nameAr: string
  nameEn: string
  descriptionAr: string
  descriptionEn: string
  openMode: App['openMode']
  externalUrl: string
  route: string
  iconName: string
  imageUrl: string
  color: string
}
export const fieldsOf = (app: App): Fields => ({
  nameAr: app.nameAr,
  nameEn: app.nameEn,
  descriptionAr: app.descriptionAr ?? '',
  descriptionEn: app.descriptionEn ?? '',
  openMode: app.openMode,
  externalUrl: app.externalUrl ?? '',
  route: app.route,
  iconName: app.iconName,
  imageUrl: app.imageUrl ?? '',
  color: app.color,
})

const reread = () => invalidate('/apps', '/admin/apps', '/stats/home')

export async function changeApp(id: number, changed: Partial<Fields> & { isActive?: boolean }, version: string | undefined) {
  const { descriptionAr, descriptionEn, externalUrl, imageUrl, ...rest } = changed
  const body = {
    ...rest,
    ...(descriptionAr !== undefined && { descriptionAr: descriptionAr || null }),
    ...(descriptionEn !== undefined && { descriptionEn: descriptionEn || null }),
    ...(externalUrl !== undefined && { externalUrl: externalUrl || null }),
    ...(imageUrl !== undefined && { imageUrl: imageUrl || null }),
  }
  const path = { path: { id } }
  const { data, response } = await api.PATCH('/apps/{id}', { params: path, body, headers: ifMatch(version) })
  setCached('/apps/{id}', data!, path, response)
  reread()
  return { from: fieldsOf(data!), version: versionOf(response) }
}

/** The values of a new app. All other fields get their defaults. */
export interface NewApp {
  nameAr: string
  nameEn: string
  slug: string
  externalUrl: string
}
export async function createApp({ externalUrl, slug, ...names }: NewApp): Promise<App> {
  const where = externalUrl ? ({ externalUrl, openMode: 'external_tab' } as const) : ({ openMode: 'internal' } as const)
  const looks = { iconName: 'layout-grid', color: '#0b6b62' }
  const made = await answer(api.POST('/apps', { body: { ...names, ...where, ...looks, slug, route: `/${slug}` } }))
  reread()
  return made
}

/** The numbers of records that are deleted with an app. */
export interface Belonging {
  groups: number
  restrictions: number
  opens: number
}

/** Deletes an app. Without `force`, returns the records that prevent the deletion. */
export async function removeApp(id: number, force: boolean): Promise<Belonging | undefined> {
  try {
    await answer(api.DELETE('/apps/{id}', { params: { path: { id }, query: force ? { force } : {} } }))
    reread()
    return undefined
  } catch (failure) {
    if (!(failure instanceof Refusal && failure.code === 'has_dependents')) throw failure
    const { groupCount, restrictionCount, openCount } = failure.body as Record<string, unknown>
    return { groups: Number(groupCount), restrictions: Number(restrictionCount), opens: Number(openCount) }
  }
}

/** Reorders some apps. All other apps keep their places. */
export function orderApps(some: readonly { id: number }[]) {
  const all = apps.peek()?.map(({ id }) => id) ?? []
  const ids = withOrder(
    all,
    some.map(({ id }) => id),
  )
  return guess(
    apps.change((known) => ids.flatMap((id) => known.find((one) => one.id === id) ?? [])),
    api.PUT('/admin/apps/order', { body: { ids } }),
  )
}

/** The rule for who sees an app: people with one of the permissions or in one of the groups; without permissions, everyone. */
export interface Access {
  permissionIds: number[]
  groupIds: number[]
}

/** Previews the effect of saving the rule `set`. */
export const foresee = (id: number, set: Access, signal: AbortSignal) =>
  answer(api.POST('/admin/impact', { body: { changes: [{ kind: 'app', id, set }] }, signal }))

/** Saves the rule for who sees an app. Refused with `changed_meanwhile` if the saved rule has a different version. */
export async function changeAccess(id: number, body: Access, version: string | undefined) {
  const path = { path: { id } }
  const { data, response } = await api.PUT('/apps/{id}/access', { params: path, body, headers: ifMatch(version) })
  setCached('/apps/{id}/access', data!, path, response)
  invalidate('/apps', '/admin/apps', '/apps/{id}/dependents/groups', '/apps/{id}/audience')
  return { from: data!, version: versionOf(response) }
}
