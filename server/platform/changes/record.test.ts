import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testPortal } from '../../../test/portal.ts'
import { record } from '../../lists/recording.ts'
import { changed } from './outcome.ts'

const portal = testPortal()

const asked = (targetId: number) => ({ kind: 'user.reset_asked', targetId, facts: { nameAr: 'هدى', nameEn: 'Huda {person}' } }) as const
const lockUser = (id: number, strength: string) => portal.sql(`select from users where id = ${id} for ${strength} nowait`)

test('recipients are locked until the commit: they may change, but cannot be deleted', async () => {
  const chief = await portal.person('chief', { roles: ['admin'] })
  const idle = await portal.person('idle')
  await portal.instance.db.writes.transaction().execute(async (tx) => {
    await record(tx, null, [asked(idle.id)])
    for (const { id } of [portal.admin, chief]) {
      await assert.rejects(lockUser(id, 'update'), { code: '55P03' })
      await lockUser(id, 'no key update')
    }
    await lockUser(idle.id, 'update')
  })
  await lockUser(chief.id, 'update')
})

test('a placeholder inside a filled-in name stays as it is', async () => {
  await portal.instance.transact(null, async () => changed(null, asked(portal.admin.id)))
  const [notice] = await portal.sql<{ text: string }>(
    `select concat(title_en, body_en, title_ar, body_ar) as text from notifications order by id desc limit 1`,
  )
  assert.match(notice!.text, /Huda \{person\}/)
  assert.match(notice!.text, /هدى/)
})

test('a change by the portal has no author, and a change that names its author does not get the caller’s name', async () => {
  const facts = { changed: {} }
  const kind = 'user.preferences_changed'
  const author = { id: 77, username: 'someone' }
  const caller = { id: 1, username: 'admin' }
  await portal.instance.db.writes.transaction().execute(async (tx) => {
    await record(tx, null, [{ kind, targetId: 501, facts }])
    await record(tx, caller, [{ kind, targetId: 502, facts }])
    await record(tx, caller, [{ kind, targetId: 503, facts, author }])
    await record(tx, caller, [])
  })
  assert.deepEqual(
    await portal.sql(
      `select target_id as "targetId", actor_id as id, actor_username as username, action from ledger where target_id between 501 and 503 order by ledger.id`,
    ),
    [
      { targetId: 501, id: null, username: null, action: null },
      { targetId: 502, ...caller, action: null },
      { targetId: 503, ...author, action: null },
    ],
  )
})
