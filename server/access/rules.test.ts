import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeAccess, explain, type Holdings, type Lock, reasonsToSee } from './rules.ts'

const nobody: Holdings = { isActive: true, roles: [], permissions: [], groupNames: [] }
const admin = { id: 1, name: 'admin' }
const pay = { id: 5, name: 'pay', roleName: 'clerk', groupName: null }
const locked: Lock = { isActive: true, permissions: ['pay', 'see'], groups: ['staff'] }
const open: Lock = { isActive: true, permissions: [], groups: ['staff'] }

const cases: [what: string, app: Lock, person: Holdings, reasons: object[]][] = [
  ['nobody sees a guarded app', locked, nobody, []],
  ['everyone sees an unguarded one', open, nobody, [{ via: 'unrestricted' }]],
  ['an administrator sees it', locked, { ...nobody, roles: [{ ...admin, groupName: null }] }, [{ via: 'admin', roleName: 'admin' }]],
  [
    'an administrator by a group sees it by that',
    locked,
    { ...nobody, roles: [{ ...admin, groupName: 'chiefs' }] },
    [{ via: 'admin', roleName: 'admin', groupName: 'chiefs' }],
  ],
  ['another role alone shows nothing', locked, { ...nobody, roles: [{ id: 2, name: 'user', groupName: null }] }, []],
  ['a permission shows it', locked, { ...nobody, permissions: [pay] }, [{ via: 'permission', permissionName: 'pay', roleName: 'clerk' }]],
  [
    'a permission by a group shows it by that',
    locked,
    { ...nobody, permissions: [{ ...pay, groupName: 'staff' }] },
    [{ via: 'permission', permissionName: 'pay', roleName: 'clerk', groupName: 'staff' }],
  ],
  ['another permission does not', locked, { ...nobody, permissions: [{ ...pay, name: 'other' }] }, []],
  ['a group shows it', locked, { ...nobody, groupNames: ['other', 'staff'] }, [{ via: 'group', groupName: 'staff' }]],
  ['another group does not', locked, { ...nobody, groupNames: ['other'] }, []],
  ['an inactive app is on no screen', { ...open, isActive: false }, { ...nobody, groupNames: ['staff'] }, []],
  ['an inactive person sees nothing', open, { ...nobody, isActive: false, groupNames: ['staff'] }, []],
]
for (const [what, app, person, reasons] of cases) test(what, () => assert.deepEqual(reasonsToSee(app, person), reasons))

test('what is not seen is explained by what would show it; where nothing would, by nothing', () => {
  const wouldGrant = [
    { via: 'permission', permissionName: 'pay' },
    { via: 'permission', permissionName: 'see' },
    { via: 'group', groupName: 'staff' },
  ]
  assert.deepEqual(explain(locked, nobody), { visible: false, reasons: [], wouldGrant })
  assert.deepEqual(explain(locked, { ...nobody, isActive: false }), { visible: false, reasons: [], wouldGrant: [] })
  assert.deepEqual(explain({ ...locked, isActive: false }, nobody), { visible: false, reasons: [], wouldGrant: [] })
  assert.deepEqual(explain(open, nobody), { visible: true, reasons: [{ via: 'unrestricted' }], wouldGrant: [] })
})

test('each role, permission and app stands once, with every way in which it is held', () => {
  const person: Holdings = {
    isActive: true,
    roles: [
      { ...admin, groupName: null },
      { id: 2, name: 'user', groupName: 'staff' },
      { ...admin, groupName: 'chiefs' },
    ],
    permissions: [pay, { ...pay, groupName: 'staff' }],
    groupNames: ['staff'],
  }
  const app = { id: 9, slug: 'pay', nameAr: 'دفع', nameEn: 'Pay' }
  const described = describeAccess({ ...person, roles: person.roles.slice(1, 2) }, [
    { ...app, ...locked },
    { ...app, id: 10, ...locked, isActive: false },
  ])
  assert.deepEqual(
    described.apps.map(({ id, reasons }) => [id, reasons.map(({ via }) => via)]),
    [[9, ['permission', 'permission', 'group']]],
  )
  const { roles, permissions } = describeAccess(person, [])
  assert.deepEqual(roles, [
    { id: 1, name: 'admin', from: [{ via: 'direct' }, { via: 'group', groupName: 'chiefs' }] },
    { id: 2, name: 'user', from: [{ via: 'group', groupName: 'staff' }] },
  ])
  assert.deepEqual(permissions, [
    {
      id: 5,
      name: 'pay',
      from: [
        { via: 'direct', roleName: 'clerk' },
        { via: 'group', groupName: 'staff', roleName: 'clerk' },
      ],
    },
  ])
})
