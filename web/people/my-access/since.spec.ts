/** The changes of a request that the page reports to its reader. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import '../../testing/document.ts'
import type { AccessRequest } from './data.ts'
import { changesSince } from './since.ts'

const person = (id: number) => ({ id, username: `person${id}`, displayNameAr: null, displayNameEn: null, avatarUrl: null })
const app = (id: number) => ({ id, nameAr: `ت${id}`, nameEn: `App ${id}`, iconName: 'box', imageUrl: null, color: '#000' })
const role = (id: number) => ({ id, name: `role${id}`, descriptionAr: null, descriptionEn: null })
const approval = (id: number, at = '2026-11-26T08:00:00Z') => ({ approver: person(id), note: null, days: null, at })

const request = (fields: Partial<AccessRequest> = {}): AccessRequest => ({
  ...{
    id: 1,
    groupId: 2,
    groupName: 'finance',
    groupDescriptionAr: null,
    groupDescriptionEn: null,
    requester: person(9),
    reason: null,
    days: 30,
    status: 'pending',
    lapseReason: null,
  },
  ...{ approvals: [], neededApprovals: 1, decidedBy: null, decisionNote: null, decidedAt: null, grantEndsAt: null },
  ...{ createdAt: '2026-11-26T07:00:00Z', updatedAt: '2026-11-26T07:00:00Z', mayDecide: true, memberCount: 3 },
  gains: { apps: [app(1)], roles: [role(1)], permissions: [] },
  ...fields,
})

const cases: [title: string, before: AccessRequest, now: AccessRequest, kinds: string[]][] = [
  ['nothing changed but the number of members', request(), request({ memberCount: 4 }), []],
  ['an approval of somebody else', request(), request({ approvals: [approval(5)] }), ['approved']],
  ['the reader’s own approval', request(), request({ approvals: [approval(7)] }), []],
  [
    'an approval that was replaced',
    request({ approvals: [approval(5)] }),
    request({ approvals: [approval(5, '2026-11-26T09:00:00Z')] }),
    ['approved'],
  ],
  ['another number of approvals', request(), request({ neededApprovals: 2 }), ['needs']],
  [
    'an app and a role more, an app less',
    request(),
    request({ gains: { apps: [app(2)], roles: [role(1), role(2)], permissions: [] } }),
    ['adds', 'lacks'],
  ],
]

for (const [title, before, now, kinds] of cases)
  test(title, () =>
    assert.deepEqual(
      changesSince(before, now, 7).map(({ kind }) => kind),
      kinds,
    ),
  )

test('a change of the apps that a group gives names the apps', () => {
  const now = request({ gains: { apps: [app(2)], roles: [role(1)], permissions: [] } })
  assert.deepEqual(
    changesSince(request(), now, 7).map(({ things }) => things?.map((thing) => ('nameEn' in thing ? thing.nameEn : thing.name))),
    [['App 2'], ['App 1']],
  )
})
