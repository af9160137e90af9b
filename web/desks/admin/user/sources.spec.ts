/** The apps of a person by source, and devices by browser and system. */
import '../../../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deviceOf } from './device.ts'
import { sourcesOf } from './sources.ts'
import { both } from './texts.ts'

const app = (id: number, ...reasons: object[]) => ({ id, slug: `app-${id}`, nameAr: `تطبيق ${id}`, nameEn: `App ${id}`, reasons })
type Access = Parameters<typeof sourcesOf>[0]

test('an app is listed under each group, role and rule that shows it', () => {
  const expiresAt = null
  const access = {
    roles: [
      { id: 1, name: 'user', from: [{ via: 'direct', expiresAt }] },
      {
        id: 2,
        name: 'clerk',
        from: [
          { via: 'direct', expiresAt },
          { via: 'group', groupName: 'finance', expiresAt },
        ],
      },
    ],
    permissions: [],
    apps: [
      app(1, { via: 'unrestricted' }),
      app(2, { via: 'permission', roleName: 'clerk' }, { via: 'permission', roleName: 'clerk', groupName: 'finance' }),
      app(3, { via: 'group', groupName: 'finance' }),
      app(4, { via: 'admin' }),
    ],
  } as Access
  const result = sourcesOf(access, ['empty', 'finance']).map(({ kind, name, given }) => [
    kind,
    name,
    given.map(({ roleName, apps }) => [roleName, apps.map(({ id }) => id)]),
  ])
  assert.deepEqual(result, [
    [
      'group',
      'finance',
      [
        ['clerk', [2]],
        [undefined, [3]],
      ],
    ],
    ['group', 'empty', []],
    ['role', 'clerk', [[undefined, [2]]]],
    ['role', 'user', []],
    ['admin', '', [[undefined, [4]]]],
    ['open', '', [[undefined, [1]]]],
  ])
})

test('a device is named by its browser and system', () => {
  const mozilla = 'Mozilla/5.0'
  const iphone = `${mozilla} (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1`
  assert.deepEqual(deviceOf(iphone), { browser: 'Safari', system: 'iPhone', isSmall: true })
  const edge = `${mozilla} (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36 Edg/130.0`
  assert.deepEqual(deviceOf(edge), { browser: 'Edge', system: 'Windows', isSmall: false })
  for (const unknown of [null, '', 'curl/8.5'])
    assert.deepEqual(deviceOf(unknown), { browser: undefined, system: undefined, isSmall: false })
})

test('a sentence about all apps of a portal counts them', () => {
  const said = (count: number) => both.en.seesAll('Dana', count).replaceAll(/[\u2066-\u2069]/g, '')
  assert.deepEqual([1, 2].map(said), ['Dana sees the only app.', 'Dana sees all 2 apps.'])
})
