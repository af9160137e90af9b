import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkAddress, checkOrder, inOwnOrder, mayRead, sees } from './rules.ts'

const viewer = ({ isAdmin = false, permissions = [] as string[], groups = [] as number[] } = {}) => ({
  isAdmin,
  can: (permission: string) => permissions.includes(permission),
  access: { roles: [], permissions: new Set<string>(), groups: [], groupIds: new Set(groups) },
})
const guarded = { isActive: true, permissions: ['a', 'b'], groups: [7, 8] }

const cases: [what: string, app: typeof guarded, person: ReturnType<typeof viewer>, seen: boolean, read?: boolean][] = [
  ['an app without permissions is for everyone', { ...guarded, permissions: [] }, viewer(), true],
  ['a restricted app is not for everyone', guarded, viewer({ permissions: ['c'], groups: [9] }), false],
  ['one of an app’s permissions is enough to see it', guarded, viewer({ permissions: ['b'] }), true],
  ['one of an app’s groups is enough to see it', guarded, viewer({ groups: [8] }), true],
  ['administrators see a restricted app', guarded, viewer({ isAdmin: true }), true],
  ['an inactive app is on nobody’s launcher', { ...guarded, isActive: false }, viewer({ permissions: ['a'], groups: [7] }), false],
  ['administrators may read an inactive app', { ...guarded, isActive: false }, viewer({ isAdmin: true }), false, true],
]
for (const [what, app, person, seen, read = seen] of cases)
  test(what, () => assert.deepEqual([sees(app, person), mayRead(app, person)], [seen, read]))

const apps = [1, 2, 3, 4].map((id) => ({ id }))
const ids = (order: number[]) => inOwnOrder(apps, order).map(({ id }) => id)
test('apps follow a person’s own order, and apps that it leaves out come last', () => {
  assert.deepEqual(ids([]), [1, 2, 3, 4])
  assert.deepEqual(ids([3]), [3, 1, 2, 4])
  assert.deepEqual(ids([4, 2, 9]), [4, 2, 1, 3])
})

test('an order with an app that its author does not see is refused with the index of that app', () => {
  checkOrder(apps, [4, 1])
  checkOrder(apps, [])
  assert.throws(
    () => checkOrder(apps, [4, 9, 8]),
    (error: { extras: { body: { details: { path: string }[] } } }) => {
      assert.deepEqual(
        error.extras.body.details.map(({ path }) => path),
        ['order.1'],
      )
      return true
    },
  )
})

const url = 'https://example.org'
const addresses: [app: Parameters<typeof checkAddress>[0], isRight: boolean][] = [
  [{}, true],
  [{ openMode: 'internal' }, true],
  [{ openMode: 'internal', externalUrl: url }, true],
  [{ openMode: 'internal', externalUrl: 'http://' }, false],
  [{ externalUrl: 'http://' }, false],
  [{ externalUrl: null }, true],
  [{ openMode: 'external_tab' }, false],
  [{ openMode: 'external_tab', externalUrl: null }, false],
  [{ openMode: 'external_tab', externalUrl: url }, true],
  [{ openMode: 'external_iframe', externalUrl: url }, true],
]
for (const [app, isRight] of addresses)
  test(`an app with ${JSON.stringify(app)} ${isRight ? 'is valid' : 'is invalid'}`, () => {
    if (isRight) checkAddress(app)
    else assert.throws(() => checkAddress(app), { code: 'validation_failed' })
  })
