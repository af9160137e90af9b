/** Instances go on while a newer version, which adds columns, migrates the database. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makers } from '../../../test/makers.ts'
import { testPortal } from '../../../test/portal.ts'

const portal = testPortal()
const { newService, newPerson } = makers(portal)

test('calls go on working while the tables that they read and change gain columns', async () => {
  const [{ id }, person] = [await newService(), await newPerson()]
  const acts = [
    () => person.get(`/services/${id}`),
    () => person.get('/services'),
    () => portal.admin.patch(`/services/${id}`, { nameEn: crypto.randomUUID() }),
    () => person.post('/orders', { serviceId: id }),
    () => portal.admin.get('/admin/audit-logs?limit=1'),
  ]
  // Several connections prepare the statements of each act.
  const all = () => Promise.all([...acts, ...acts, ...acts].map((act) => act()))
  for (const n of [1, 2, 3]) {
    assert.ok((await all()).every(({ status }) => status < 300))
    for (const table of ['services', 'orders', 'users', 'ledger', 'service_categories'])
      await portal.sql(`alter table ${table} add column added_${n} int`)
    const answers = [...(await all()), ...(await all())]
    assert.deepEqual(
      answers.filter(({ status }) => status >= 300).map(({ status, text }) => `${status} ${text}`),
      [],
    )
  }
})
