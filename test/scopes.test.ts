/** Compares the answers of every endpoint with a model of the scopes, for every scope of a token and every kind of owner. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { givenScopes } from '../server/identity/tokens/rules.ts'
import type { Scope } from '../server/platform/auth/scopes.ts'
import { assertPage } from './one-page.ts'
import { testPortal } from './portal.ts'
import { type Route, routes } from './running.ts'
import { addProgram } from './service-accounts.ts'
import { scale } from './suite.ts'
import { tokenOf } from './tokens.ts'

const portal = testPortal()

/** The scopes that open each call. The first pattern that fits counts. */
const table: [calls: RegExp, scopes: Scope[]][] = [
  // Calls whose pattern has an empty list are never open to a token.
  [/ \/auth\/me(\/permissions)?$/, ['profile:read']],
  [/ \/auth\//, []],
  [/\/notes(\/|$)/, []],
  [/ \/(events|push|me|stats\/home|access-requests)(\/|$)/, []],
  [/ \/storage\/(uploads|objects\/uploads)/, []],
  [/ \/(admin|executive-meetings)\/presence$/, []],
  [/revert$/, []],
  [/ \/apps\/:id\/open$/, []],
  [/^DELETE \/orders|bulk-delete$/, []],
  [/^GET \/orders\/receivers$|\/orders\/:id\/files\/|\/order-files\/|\/orders\/:id\/(approve|deny)$/, []],
  [/^GET \/access-reviews(\/:id(\/items)?)?$/, []],
  [/verdicts$/, []],
  [/^(PUT|PATCH|DELETE) \/executive-meetings\/font-settings$/, []],
  [/^(PUT|POST|DELETE) \/roles\/:id\/permissions(\/:permissionId)?$/, []],
  [/^DELETE \/users\/:id\/sessions$/, []],
  [/\/providers\/:id\/try$/, []],
  [/ \/scim\//, ['scim']],

  [/^GET \/settings$/, ['settings:read']],
  [/^GET \/apps(\/:id)?$/, ['apps:read']],
  [/^GET \/service(s|-categories|-teams|-catalogue)(\/:(id|serviceId))?$|^GET \/services\/:id\/(notice|form)$/, ['services:read']],
  [/^PUT \/services\/:id\/notice$|^POST \/orders\/:id\/assign$/, ['admin:write', 'orders:receive']],
  [/^GET \/orders\/(my|details|:id(\/(details|timeline))?)$/, ['orders:read']],
  [/^POST \/orders(\/:id\/(messages|reopen))?$/, ['orders:write']],
  [/^PATCH \/orders\/:id\/status$/, ['orders:write', 'orders:receive']],
  [/ \/orders\/(incoming|:id\/(confirm-receipt|release|transfer|internal-notes|wait|resume))$|\/service-teams\/names$/, ['orders:receive']],
  [/^GET \/notifications/, ['notifications:read']],
  [/ \/notifications/, ['notifications:write']],

  [/^PATCH \/executive-meetings\/requests\/:id$/, ['meetings:approve', 'meetings:request']],
  [/^POST \/executive-meetings(\/:id)?\/requests$/, ['meetings:request']],
  [/^GET \/executive-meetings\/audit-logs$/, ['meetings:audit']],
  [/^(GET \/executive-meetings|POST \/executive-meetings\/schedule-preview$|GET \/storage\/objects\/archives)/, ['meetings:read']],
  [/ \/executive-meetings/, ['meetings:mutate']],

  [/\/audit(\.csv)?$|^GET \/admin\/audit-(logs|stream\/entries)/, ['audit:read']],
  [/^GET \/(users\/:id\/(sessions|dependents|identities|provisioning)|groups\/:id\/dependents)/, ['admin:read']],
  [/^GET \/services\/:id\/people$/, ['orders:write']],
  [/^GET \/(users|groups|roles|permissions)(\/|$)|^GET \/admin\/access/, ['people:read']],
  [/^POST .*(resolve|impact|impact-preview|working-calendars\/:id\/preview)$/, ['admin:read']],
  [/^GET \/working-calendars/, ['services:read']],
  [/^GET /, ['admin:read']],
  [/^/, ['admin:write']],
]
const opening = ({ at, endpoint }: Route): Scope[] =>
  endpoint.does === 'stream' || endpoint.confirm === 'person' ? [] : (table.find(([calls]) => calls.test(at))?.[1] ?? [])

/** The rights of an owner, as the model knows them. */
interface Owner {
  name: string
  isAdmin: boolean
  isExecutive: boolean
  permissions: ReadonlySet<string>
  isProgram: boolean
}
const meetings = (owner: Owner, what: string) => owner.isExecutive && owner.permissions.has(`executive_meetings.${what}`)
const isAppointed = ({ isProgram, permissions }: Owner, permission: string) => isProgram && permissions.has(permission)
/** Whether an owner has the rights that a scope needs. */
function has(owner: Owner, scope: Scope) {
  const [area, verb] = scope.split(':') as [string, string]
  if (area === 'meetings') return meetings(owner, verb)
  if (scope === 'orders:receive') return owner.permissions.has('orders.receive')
  if (scope === 'people:read') return owner.isAdmin || isAppointed(owner, 'directory.read')
  if (scope === 'audit:read') return owner.isAdmin || isAppointed(owner, 'audit.read')
  return area === 'admin' ? owner.isAdmin : true
}
/** Whether an endpoint is for such an owner at all, with any scope. */
function isFor(owner: Owner, { endpoint: { allow } }: Route, scopes: readonly Scope[]) {
  if (allow === 'anyone' || allow === 'signed-in') return true
  if (allow === 'source') return owner.isProgram
  if (allow === 'admin') return owner.isAdmin || scopes.some((scope) => /^(people|audit):/.test(scope) && has(owner, scope))
  if (typeof allow === 'string') return owner.permissions.has(allow)
  return owner.isExecutive && (allow.permission === undefined || owner.permissions.has(allow.permission))
}
function expected(owner: Owner, scope: Scope, route: Route) {
  if (route.endpoint.allow === 'anyone') return 'passes'
  const scopes = opening(route)
  if (scopes.length > 0 && !scopes.includes(scope)) return 'insufficient_scope'
  if (!isFor(owner, route, scopes)) return 'forbidden'
  if (scopes.length === 0) return 'not_for_tokens'
  return has(owner, scope) ? 'passes' : 'insufficient_scope'
}

const nonsense = ({ method }: Route) => (method === 'GET' ? undefined : '{"nonsense": [')
const refusals = new Set(['unauthorized', 'forbidden', 'not_for_tokens', 'insufficient_scope', 'foreign_origin'])

const everything = ['orders.receive', ...['read', 'mutate', 'approve', 'request', 'audit'].map((what) => `executive_meetings.${what}`)]
const own = [...everything, 'directory.read', 'audit.read']
const cases: [name: string, fields: { isAdmin?: boolean; holdsAll?: boolean; isProgram?: boolean }][] = [
  ['a person with every permission', { holdsAll: true }],
  ['a person without rights', {}],
  ['an administrator', { isAdmin: true }],
  ['an administrator with every permission', { isAdmin: true, holdsAll: true }],
  ['a program without rights', { isProgram: true }],
  ['a program with every permission', { isProgram: true, holdsAll: true }],
]

async function makeOwner(n: number, { isAdmin = false, holdsAll = false, isProgram = false }: (typeof cases)[number][1]) {
  const roles = [...(isAdmin ? ['admin'] : []), ...(holdsAll ? ['holds.all', 'executive_viewer'] : [])]
  const { id } = isProgram ? await addProgram(portal, `owner${n}`, { roles }) : await portal.person(`owner${n}`, { roles })
  const rows = await portal.sql<{ name: string }>(
    'select distinct p.name from effective_roles er join role_permissions using (role_id) join permissions p on p.id = permission_id where user_id = $1',
    [id],
  )
  const owner: Owner = {
    name: `owner${n}`,
    isAdmin,
    isExecutive: isAdmin || holdsAll,
    permissions: new Set(rows.map((row) => row.name)),
    isProgram,
  }
  return { id, owner }
}

test('a role can have every permission', async () => {
  const all = (await portal.admin.get('/permissions')).body as { id: number; name: string }[]
  const role = (await portal.admin.post('/roles', { name: 'holds.all' })).body
  const permissionIds = all.filter(({ name }) => own.includes(name)).map(({ id }) => id)
  assert.equal(permissionIds.length, own.length)
  assert.equal((await portal.admin.put(`/roles/${role.id}/permissions`, { permissionIds })).status, 200)
})

for (const [n, [what, fields]] of cases.slice(0, scale(1, cases.length)).entries())
  test(`with a token of one scope, ${what} may make exactly the calls that the table opens`, async () => {
    const { id, owner } = await makeOwner(n, fields)
    const wrong: string[] = []
    // `givenScopes` lacks the scope of SCIM, which only sources have.
    for (const scope of givenScopes) {
      const client = await tokenOf(portal, id, { scopes: [scope], kind: fields.isProgram ? 'service' : 'personal' })
      const judge = async (route: Route) => {
        const answer = await client.send(route.method, `${route.address(() => 'nonsense')}?limit=nonsense`, nonsense(route))
        const code = answer.body?.code as string | undefined
        const got = code && refusals.has(code) ? code : 'passes'
        const meant = expected(owner, scope, route)
        if (got !== meant) wrong.push(`${scope} ${route.at}: ${got}, not ${meant}`)
        if (got === 'insufficient_scope') assert.equal(answer.body.scope, opening(route).join(' '), route.at)
      }
      for (let at = 0; at < routes.length; at += 8) await Promise.all(routes.slice(at, at + 8).map(judge))
    }
    assert.deepEqual(wrong, [])
  })

test('a token with every scope of an administrator is refused by endpoints that no scope opens', async () => {
  const client = await tokenOf(portal, portal.admin.id, { scopes: givenScopes })
  for (const route of routes.filter((one) => one.endpoint.allow !== 'anyone')) {
    const { status, body } = await client.send(route.method, `${route.address(() => 'nonsense')}?limit=nonsense`, nonsense(route))
    if (route.endpoint.scope === undefined) assert.deepEqual([status, body?.code], [403, 'not_for_tokens'], route.at)
    else if (route.endpoint.allow === 'source') assert.equal(body.code, 'insufficient_scope', route.at)
    else assert.ok(!refusals.has(body?.code), `${route.at} ${body?.code}`)
  }
})

test('endpoints that need a confirmation, change their caller, upload or stream name no scope', () => {
  const closed = routes.filter(
    ({ endpoint }) =>
      endpoint.confirm === 'person' ||
      endpoint.does === 'stream' ||
      endpoint.does === 'upload' ||
      ('locks' in endpoint && endpoint.locks === 'caller'),
  )
  assert.deepEqual(
    closed.filter(({ endpoint }) => endpoint.scope !== undefined).map(({ at }) => at),
    [],
  )
  assert.ok(closed.length > 20)
})

test('the model and the endpoints name the same scopes', () => {
  for (const route of routes.filter(({ endpoint }) => endpoint.allow !== 'anyone' || endpoint.scope))
    assert.deepEqual([route.endpoint.scope ?? []].flat(), opening(route), route.at)
})

test('test/scopes.txt lists the endpoints that name no scope', (t) => {
  const closed = routes.filter(({ endpoint }) => endpoint.scope === undefined && endpoint.allow !== 'anyone')
  assertPage(
    t,
    closed.map(({ at }) => at),
    new URL('scopes.txt', import.meta.url),
  )
})
