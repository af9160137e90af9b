/** Addresses on the web that the portal stores. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makers } from '../../../test/makers.ts'
import { DAY, MEETINGS } from '../../../test/meetings.ts'
import { testPortal } from '../../../test/portal.ts'
import { endpoints } from '../../lists/features.ts'

const portal = testPortal()
const { newApp, newService } = makers(portal)

const withUser = [
  'https://user:pw@x.example',
  'https://user@x.example/',
  'https://@x.example',
  'https:///user:pw@x.example',
  'https://x.example@y.example?a',
]
const plain = ['https://x.example/@user', 'https://x.example?to=a@b', 'https://x.example#a@b', 'https://x.example:8443/a:b@c']

test('no stored address has a user name or a password in it', async () => {
  const { admin } = portal
  const [app, service] = [await newApp(), await newService()]
  const meeting = (await admin.post(MEETINGS, { date: DAY, titleEn: 'Budget' })).body
  for (const address of withUser)
    for (const [path, field] of [
      [`/apps/${app.id}`, 'externalUrl'],
      [`/apps/${app.id}`, 'imageUrl'],
      [`/services/${service.id}`, 'imageUrl'],
      [`${MEETINGS}/${meeting.id}`, 'meetingUrl'],
    ] as const) {
      const { status, body } = await admin.patch(path, { [field]: address })
      assert.deepEqual([address, field, status, body.details?.[0]?.rule], [address, field, 400, 'pattern'])
    }
  for (const address of plain) {
    assert.equal((await admin.patch(`${MEETINGS}/${meeting.id}`, { meetingUrl: address })).status, 200)
    assert.equal((await admin.patch(`/apps/${app.id}`, { externalUrl: address })).status, 200)
  }
})

/** The patterns of a shape that take addresses on the web. */
function patternsIn(shape: unknown): string[] {
  if (typeof shape !== 'object' || shape === null) return []
  const { pattern } = shape as { pattern?: unknown }
  const own = typeof pattern === 'string' && new RegExp(pattern, 'u').test('https://x.example/a') ? [pattern] : []
  return [...own, ...Object.values(shape).flatMap(patternsIn)]
}

test('every field of a body with a pattern for addresses refuses user names', () => {
  const patterns = endpoints.flatMap((endpoint) => ('body' in endpoint ? patternsIn(endpoint.body) : []))
  assert.ok(patterns.length >= 4)
  for (const pattern of patterns)
    assert.deepEqual([pattern, withUser.filter((address) => new RegExp(pattern, 'u').test(address))], [pattern, []])
})
