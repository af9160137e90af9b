import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { testPortal } from '../../../test/portal.ts'
import { cleaningUp } from './cleaning.ts'
import type { JobContext } from './runner.ts'

const portal = testPortal()
beforeEach(() => portal.ready)
const clean = (...all: Parameters<typeof cleaningUp>[0]) => cleaningUp(all)(undefined, { db: portal.instance.db } as JobContext)
const OLD = { name: 'used_once', column: 'until', after: '1 hour' }

test('a clean-up that fails does not keep the rest from running', async () => {
  await portal.sql(`insert into used_once (hash, until) values ('old', now() - interval '2 hours'), ('young', now())`)
  const unknown = { name: 'no_such_table', column: 'at', after: '1 day' }
  const failing = { name: 'failing', clean: () => Promise.reject(new Error('not today')) }
  await assert.rejects(clean(unknown, failing, OLD), /^Error: no_such_table: .*; failing: not today$/)
  assert.deepEqual(await portal.sql('select hash from used_once'), [{ hash: 'young' }])
})

test('a backlog of more than one batch is deleted', async () => {
  await portal.sql(`insert into used_once (hash, until) select n::text, now() - interval '2 hours' from generate_series(1, 20001) as n`)
  await clean(OLD)
  assert.deepEqual(await portal.sql(`select count(*)::int as count from used_once`), [{ count: 1 }])
})
