import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silence } from '../../../test/makers.ts'
import { seededPortal } from '../../../test/seed.ts'

const {
  portal,
  org,
  make: { newServiceTeam },
} = seededPortal()

const names = { nameAr: 'مثال', nameEn: 'Example' }
const events = [{ event: 'service_teams_changed', data: {}, to: null }]
const audit = (action: string, target: number, metadata: object) => [
  { action: `service_team.${action}`, type: 'service_team', target, metadata },
]

test('a new service team is seen by everyone who is signed in, and leaves an audit row and one event', async () => {
  let id = 0
  const traces = await portal.traces(async () => {
    const { status, body } = await org.admin.post('/service-teams', names)
    assert.deepEqual([status, body.nameEn, body.sortOrder], [201, 'Example', 0])
    id = body.id
  })
  assert.deepEqual(traces, { ...silence, audit: audit('create', id, names), events })
  const { body } = await org.huda.get(`/service-teams/${id}`)
  assert.deepEqual((await org.huda.get('/service-teams')).body, [body])
})

test('only administrators create, change and delete', async () => {
  const { id } = await newServiceTeam()
  assert.equal((await org.huda.post('/service-teams', names)).status, 403)
  assert.equal((await org.huda.patch(`/service-teams/${id}`, { sortOrder: 1 })).status, 403)
  assert.equal((await org.huda.delete(`/service-teams/${id}`)).status, 403)
})

test('a name that is empty, too long or missing is refused, without a trace', async () => {
  const traces = await portal.traces(async () => {
    for (const nameEn of ['', 'x'.repeat(201), undefined]) {
      const { status, body } = await org.admin.post('/service-teams', { ...names, nameEn })
      assert.deepEqual([status, body.details[0].path], [400, 'nameEn'])
    }
  })
  assert.deepEqual(traces, silence)
})

test('a change records the fields that changed; one that changes nothing leaves no trace', async () => {
  const { id } = await newServiceTeam()
  const change = () => org.admin.patch(`/service-teams/${id}`, { sortOrder: 3 })
  const traces = await portal.traces(async () => assert.equal((await change()).body.sortOrder, 3))
  assert.deepEqual(traces, { ...silence, audit: audit('update', id, { changed: { sortOrder: { from: 0, to: 3 } } }), events })
  assert.deepEqual(await portal.traces(change), silence)
})

test('a deleted service team is gone', async () => {
  const { id } = await newServiceTeam(names)
  const traces = await portal.traces(async () => assert.equal((await org.admin.delete(`/service-teams/${id}`)).status, 204))
  assert.deepEqual(traces, { ...silence, audit: audit('delete', id, names), events })
  assert.equal((await org.admin.get(`/service-teams/${id}`)).status, 404)
})
