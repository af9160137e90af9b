import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { changeKinds } from '../../lists/changes.ts'
import type { AnyKind } from '../../platform/changes/change-kind.ts'
import { type LedgerRow, told, untold } from './kinds.ts'
import { delayAfter, errorOf, messagesOf, restOf } from './rules.ts'
import { choices, messages, typeNames } from './types.ts'

const ajv = new Ajv({ strict: false, formats: { 'date-time': true } })
const fits = new Map(messages.map(({ type, body }) => [type, ajv.compile(body)]))
const row = (kind: string, facts: Record<string, unknown>, more: Partial<LedgerRow> = {}): LedgerRow => ({
  id: 41,
  at: new Date('2026-03-01T08:30:00Z'),
  kind,
  targetType: kind.split('.')[0]!,
  targetId: 7,
  actorId: 1,
  actorUsername: 'admin',
  action: null,
  facts,
  ...more,
})

test('each kind of change becomes messages or is listed as one that never leaves the portal', () => {
  for (const kind of Object.keys(changeKinds)) assert.equal(Number(kind in told) + Number(untold.includes(kind)), 1, kind)
  assert.equal(new Set(untold).size, untold.length)
})

const moved = (from: number[], to: number[]) => ({ from, to })
const cases: [kind: string, facts: Record<string, unknown>, types: string[], action?: string][] = [
  ['user.registered', { username: 'sara', email: 's@example.org' }, ['user.created']],
  [
    'user.created',
    { username: 'sara', email: 's@example.org', roleIds: [2], groupIds: [1, 5] },
    ['user.created', 'user.roles_changed', 'group.members_changed'],
  ],
  [
    'user.updated',
    { changed: { isActive: { from: true, to: false }, groupIds: moved([2], [3]), email: { from: 'a@b.org', to: 'c@d.org' } } },
    ['user.deactivated', 'group.members_changed', 'user.updated'],
  ],
  ['user.updated', { changed: { isActive: { from: false, to: true } } }, ['user.reactivated']],
  ['user.deleted', { username: 'sara', email: 's@example.org' }, ['user.deleted'], 'user.force_delete'],
  ['user.role_added', { roleId: 3, roleName: 'stock' }, ['user.roles_changed']],
  ['user.role_removed', { roleId: 3 }, ['user.roles_changed']],
  ['user.role_expired', { roleId: 3, roleName: 'stock', expiresAt: '' }, ['user.roles_changed']],
  ['user.roles_replaced', { changed: { roleIds: moved([2], [3]) } }, ['user.roles_changed']],
  ['user.roles_replaced', { changed: { roleIds: moved([], []) } }, []],
  ['group.created', { name: 'Stock', userIds: [], roleIds: [], appIds: [] }, ['group.created']],
  [
    'group.created',
    { name: 'Stock', userIds: [2], roleIds: [3], appIds: [4] },
    ['group.created', 'group.roles_changed', 'group.apps_changed', 'group.members_changed'],
  ],
  [
    'group.updated',
    { changed: { name: moved([], []), userIds: moved([1], [2]), roleIds: moved([], [3]), appIds: moved([4], []) } },
    ['group.roles_changed', 'group.apps_changed', 'group.members_changed', 'group.updated'],
  ],
  ['group.member_added', { userId: 2 }, ['group.members_changed']],
  ['group.member_removed', { roleId: 2 }, ['group.roles_changed']],
  ['group.member_added', { appId: 2 }, ['group.apps_changed']],
  ['group.members_moved', { added: [2, 3], removed: [4] }, ['group.members_changed']],
  ['group.deleted', { name: 'Stock' }, ['group.deleted'], 'group.delete'],
  ['group.adopted', { provider: 'entra' }, ['group.updated']],
  ['role.created', { name: 'stock' }, ['role.created']],
  ['role.restored', { name: 'stock', permissionIds: [1, 2], undoes: 7 }, ['role.created', 'role.permissions_changed']],
  ['role.updated', { changed: { name: { from: 'a', to: 'b' } } }, ['role.updated']],
  ['role.permissions_replaced', { addedPermissionIds: [1], removedPermissionIds: [] }, ['role.permissions_changed']],
  ['role.permissions_replaced', { addedPermissionIds: [], removedPermissionIds: [] }, []],
  ['role.permission_added', { permissionId: 1 }, ['role.permissions_changed']],
  ['role.deleted', { name: 'stock' }, ['role.deleted']],
  ['app.created', { slug: 'a' }, ['app.created'], 'app.create'],
  ['app.created', { permissionId: 2 }, ['app.permissions_changed'], 'app.permission.add'],
  ['app.updated', { changed: { nameEn: { from: 'a', to: 'b' } } }, ['app.updated']],
  [
    'app.access_replaced',
    { changed: { permissionIds: moved([], [1]), groupIds: moved([2], []) } },
    ['app.permissions_changed', 'group.apps_changed'],
  ],
  ['app.deleted', { slug: 'a' }, ['app.deleted'], 'app.force_delete'],
  ['service.created', { nameEn: 'A' }, ['service.created']],
  ['service.form_changed', { version: 2 }, ['service.updated']],
  ['service.deleted', { nameEn: 'A' }, ['service.deleted'], 'service.delete'],
  ['order.placed', { serviceId: 3, params: { en: { person: 'Sara' } } }, ['order.placed']],
  ['order.moved', { from: 'pending', to: 'received', wasAssignedTo: null, assignedTo: 3, params: {} }, ['order.moved']],
  ['order.reopened', { from: 'completed', to: 'preparing', userId: 2, assignedTo: 3, params: {} }, ['order.moved']],
  ['order.transferred', { fromTeamId: null, toTeamId: 3 }, ['order.moved']],
  ['order.released', { params: {} }, ['order.moved']],
  ['order.denied', { serviceId: 3, beneficiaryId: 2, step: 'chief', at: '', params: {} }, ['order.moved']],
  ['order.lapsed', { serviceId: 3, beneficiaryId: 2, reason: 'undecided', params: {} }, ['order.moved']],
  ['user.manager_changed', { changed: { managerId: { from: null, to: 3 } } }, ['user.updated']],
  ['order.deleted', { status: 'pending', userId: 3 }, ['order.deleted']],
  ['meeting.updated', { before: { date: '2026-03-02', titleEn: 'Secret' }, after: { date: '2026-03-01' } }, ['meeting.changed']],
  ['token.created', { tokenId: 3, tokenName: 'x', scopes: ['orders:read'], expiresAt: '2026-03-01T08:30:00.000Z' }, ['token.created']],
  ['token.revoked', { tokenId: 3, tokenName: 'x', by: 'owner' }, ['token.revoked']],
  ['source.held', { name: 'entra' }, ['provisioning.held']],
  ['source.updated', { name: 'entra', changed: { allowance: { from: 0, to: 40 } } }, ['provisioning.released']],
  ['source.updated', { name: 'entra', changed: { invite: { from: false, to: true } } }, []],
  ['user.adoption_refused', { source: 'entra', personEn: 'Sara' }, ['provisioning.refused']],
  ['webhook.tested', { name: 'Stock' }, ['webhook.test']],
]
for (const [kind, facts, types, action = null] of cases)
  test(`a change ${kind} of ${Object.keys(facts)} becomes ${types.join(', ') || 'no message'}, in its shape, without private texts`, () => {
    const all = messagesOf(row(kind, facts, { action }))
    assert.deepEqual(
      all.map(({ type }) => type),
      types,
    )
    assert.deepEqual(
      all.map(({ part }) => part),
      types.map((_, index) => index + 1),
    )
    for (const { type, body } of all) {
      const fit = fits.get(type)!
      assert.ok(fit(JSON.parse(body)), `${JSON.stringify(fit.errors)} ${body}`)
      assert.doesNotMatch(body, /example\.org|b\.org|Sara|Secret|stock"|"sara"/)
      assert.deepEqual(Object.keys(JSON.parse(body).data).slice(-4), ['sequence', 'targetType', 'targetId', 'actor'])
    }
  })

test('messages read only facts that the ledger stores', () => {
  for (const [name, kind] of Object.entries<AnyKind & { facts: TSchema }>(changeKinds)) {
    if (!(name in told) || kind.audits === 'nothing') continue
    const facts = Value.Create(kind.facts) as Record<string, unknown>
    for (const { action, metadata = facts } of [kind.audits({ targetId: 7, facts, author: null })].flat()) {
      const read: string[] = []
      const stored = new Proxy(metadata, { get: (all, key: string) => all[read.push(key) && key] })
      told[name]!(row(name, stored, { action }))
      const missing = read.filter((key) => key in facts && !(key in metadata))
      assert.deepEqual(missing, [], name)
    }
  }
})

test('the first roles and groups of a person make the same messages as later ones', () => {
  const first = messagesOf(row('user.created', { roleIds: [2], groupIds: [1, 5] })).slice(1)
  assert.deepEqual(
    first.map(({ body }) => {
      const { sequence: _, targetType: __, targetId: ___, actor: ____, ...data } = JSON.parse(body).data
      return data
    }),
    [
      { userId: 7, addedRoleIds: [2], removedRoleIds: [] },
      {
        added: [
          { groupId: 1, userId: 7 },
          { groupId: 5, userId: 7 },
        ],
        removed: [],
      },
    ],
  )
})

test('every message type comes from some kind of change, and can be chosen by itself or with its area', () => {
  assert.deepEqual(new Set(cases.flatMap(([, , types]) => types)), new Set(typeNames))
  for (const type of typeNames) assert.ok(choices.includes(type) && choices.includes(`${type.split('.')[0]}.*`))
})

test('no fact replaces a field that all messages have', () => {
  const [message] = messagesOf(row('group.updated', { changed: { sequence: {}, actor: {} } }))
  const { data } = JSON.parse(message!.body)
  assert.deepEqual([data.fields, data.sequence, data.actor], [['sequence', 'actor'], 41, { id: 1, username: 'admin' }])
})

test('a message of more than 8 KiB is shortened and marked as truncated', () => {
  const many = Array.from({ length: 50_000 }, (_, n) => n + 1)
  const [message] = messagesOf(row('group.updated', { changed: { userIds: moved([], many) } }))
  assert.ok(Buffer.byteLength(message!.body) <= 8 * 1024 + 100)
  const { data } = JSON.parse(message!.body)
  assert.equal(data.truncated, true)
  assert.ok(data.added.length > 100)
  assert.ok(fits.get('group.members_changed')!(JSON.parse(message!.body)))
})

test('twenty tries take 65 hours, with each pause up to a tenth shorter or longer by chance', () => {
  const sum = Array.from({ length: 19 }, (_, n) => delayAfter(n + 1, 0.5)).reduce((one, other) => one + other)
  assert.equal(Math.round(sum / 3_600_000), 65)
  assert.deepEqual([delayAfter(1, 0), delayAfter(1, 1), delayAfter(30, 0.5)].map(Math.round), [2446, 2990, 22_026_000])
})

test('a rest is read in seconds or as a date, and is six hours at most', () => {
  const now = Date.parse('2026-03-01T08:30:00Z')
  assert.deepEqual(
    ['120', 'Sun, 01 Mar 2026 08:31:00 GMT', '999999', '0', '-5', 'soon', undefined, 'Sun, 01 Mar 2026 08:00:00 GMT'].map((text) =>
      restOf(text, now),
    ),
    [120_000, 60_000, 21_600_000, undefined, undefined, undefined, undefined, undefined],
  )
})

test('each failure without an answer has a named reason', () => {
  const codes = ['ECONNREFUSED', 'ENOTFOUND', 'CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'timeout', 'ECONNRESET', 'UND_ERR_SOCKET']
  assert.deepEqual(codes.map(errorOf), ['refused', 'dns', 'tls', 'tls', 'timeout', 'closed', 'closed'])
})
