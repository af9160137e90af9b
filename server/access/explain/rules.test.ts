import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeAccess, explain, type Holdings, type Lock, reasonsToSee } from './rules.ts'

const nobody: Holdings = { isActive: true, roles: [], permissions: [], groups: [] }
const admin = { id: 1, name: 'admin' }
const expiresAt = null
const byAdmin = { via: 'admin', roleId: 1, roleName: 'admin', expiresAt }
const staff = { id: 7, name: 'staff' }
const chiefs = { id: 8, name: 'chiefs' }
const inChiefs = { groupId: 8, groupName: 'chiefs' }
const inStaff = { groupId: 7, groupName: 'staff' }
const clerk = { id: 3, name: 'clerk' }
const ofClerk = { roleId: 3, roleName: 'clerk' }
const pay = { id: 5, name: 'pay', role: clerk, group: null, expiresAt }
const byPay = { via: 'permission', permissionId: 5, permissionName: 'pay', expiresAt }
const member = (group: { id: number; name: string }) => ({ ...group, expiresAt })
const locked: Lock = {
  isActive: true,
  permissions: [
    { id: 5, name: 'pay' },
    { id: 6, name: 'see' },
  ],
  groups: [staff],
}
const open: Lock = { isActive: true, permissions: [], groups: [staff] }

const cases: [what: string, app: Lock, person: Holdings, reasons: object[]][] = [
  ['nobody sees a guarded app', locked, nobody, []],
  ['everyone sees an unguarded one', open, nobody, [{ via: 'unrestricted', expiresAt }]],
  ['an administrator sees it', locked, { ...nobody, roles: [{ ...admin, group: null, expiresAt }] }, [byAdmin]],
  [
    'an administrator by a group sees it by that',
    locked,
    { ...nobody, roles: [{ ...admin, group: chiefs, expiresAt }] },
    [{ ...byAdmin, ...inChiefs }],
  ],
  ['another role alone shows nothing', locked, { ...nobody, roles: [{ id: 2, name: 'user', group: null, expiresAt }] }, []],
  ['a permission shows it', locked, { ...nobody, permissions: [pay] }, [{ ...byPay, ...ofClerk }]],
  [
    'a permission by a group shows it by that',
    locked,
    { ...nobody, permissions: [{ ...pay, group: staff }] },
    [{ ...byPay, ...ofClerk, ...inStaff }],
  ],
  ['another permission does not', locked, { ...nobody, permissions: [{ ...pay, id: 9, name: 'other' }] }, []],
  ['a group shows it', locked, { ...nobody, groups: [member(chiefs), member(staff)] }, [{ via: 'group', ...inStaff, expiresAt }]],
  ['another group does not', locked, { ...nobody, groups: [member(chiefs)] }, []],
  ['an inactive app is on no screen', { ...open, isActive: false }, { ...nobody, groups: [member(staff)] }, []],
  ['an inactive person sees nothing', open, { ...nobody, isActive: false, groups: [member(staff)] }, []],
]
for (const [what, app, person, reasons] of cases) test(what, () => assert.deepEqual(reasonsToSee(app, person), reasons))

test('an app that a person does not see names the grants that would show it, if there are any', () => {
  const wouldGrant = [
    byPay,
    { via: 'permission', permissionId: 6, permissionName: 'see', expiresAt },
    { via: 'group', ...inStaff, expiresAt },
  ]
  assert.deepEqual(explain(locked, nobody), { visible: false, reasons: [], wouldGrant })
  assert.deepEqual(explain(locked, { ...nobody, isActive: false }), { visible: false, reasons: [], wouldGrant: [] })
  assert.deepEqual(explain({ ...locked, isActive: false }, nobody), { visible: false, reasons: [], wouldGrant: [] })
  assert.deepEqual(explain(open, nobody), { visible: true, reasons: [{ via: 'unrestricted', expiresAt }], wouldGrant: [] })
})

test('each role, permission and app is listed once, with every way in which it is held', () => {
  const person: Holdings = {
    isActive: true,
    roles: [
      { ...admin, group: null, expiresAt },
      { id: 2, name: 'user', group: staff, expiresAt },
      { ...admin, group: chiefs, expiresAt },
    ],
    permissions: [pay, { ...pay, group: staff }],
    groups: [member(staff)],
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
    {
      id: 1,
      name: 'admin',
      from: [
        { via: 'direct', expiresAt },
        { via: 'group', ...inChiefs, expiresAt },
      ],
    },
    { id: 2, name: 'user', from: [{ via: 'group', ...inStaff, expiresAt }] },
  ])
  assert.deepEqual(permissions, [
    {
      id: 5,
      name: 'pay',
      from: [
        { via: 'direct', ...ofClerk, expiresAt },
        { via: 'group', ...inStaff, ...ofClerk, expiresAt },
      ],
    },
  ])
})
