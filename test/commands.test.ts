/** The duties of commands and queries, tested with endpoints that exist only here. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Static, type TSchema, Type } from 'typebox'
import { changed, unchanged } from '../server/platform/changes/outcome.ts'
import type { Tx } from '../server/platform/database/db.ts'
import { command, type Endpoint, query } from '../server/platform/http/endpoint.ts'
import { Nothing, Shape, Success } from '../server/platform/http/shape.ts'
import type { ServiceOrder } from '../server/work/orders/shapes.ts'
import { testPortal } from './portal.ts'
import { servingOnly } from './serve-only.ts'

const serveOnly = servingOnly(() => portal.instance)
const portal = testPortal()

/** Serves the endpoint and calls it as the administrator. */
async function answerOf(endpoint: Endpoint) {
  const app = await serveOnly(endpoint)
  const method = endpoint.at.startsWith('GET') ? 'GET' : 'POST'
  const { statusCode, body, headers } = await app.inject({ method, url: '/api/try', headers: { cookie: portal.admin.cookie } })
  return { status: statusCode, body: body && JSON.parse(body), text: body, id: headers['x-request-id'] }
}

const rename = (tx: Tx, id: number, displayNameEn: string) => tx.updateTable('users').set({ displayNameEn }).where('id', '=', id).execute()
const nameOf = async (id: number) =>
  (await portal.sql<{ name: string | null }>('select display_name_en as name from users where id = $1', [id]))[0]!.name
const renamed = (targetId: number) => ({ kind: 'user.preferences_changed', targetId, facts: { changed: {} } }) as const
const asked = { summary: 'Try', allow: 'signed-in' } as const
const spec = { ...asked, reply: Nothing, status: 204 } as const

/** Asserts a 500 that reveals only the request's id, and that the administrator's name was not changed. */
async function checkUndone(endpoint: Endpoint) {
  const traces = await portal.traces(async () => {
    const { status, body, text, id } = await answerOf(endpoint)
    assert.deepEqual([status, body.code, body.requestId], [500, 'internal', id])
    assert.doesNotMatch(text, /change|column|users|select|update|at \/|Error|required/)
  })
  assert.deepEqual(traces, { audit: [], histories: [], notices: [], events: [] })
  assert.equal(await nameOf(1), null)
}

test('a command that writes and returns unchanged() is rolled back', async () => {
  await checkUndone(
    command('POST /try', {
      ...spec,
      run: async ({ tx }) => {
        await rename(tx, 1, 'Written')
        return unchanged(null)
      },
    }),
  )
})

test('a command that writes to two people but records the change of only one is rolled back', async () => {
  const other = await portal.person('other')
  await checkUndone(
    command('POST /try', {
      ...spec,
      run: async ({ tx }) => {
        await rename(tx, other.id, 'Written')
        await rename(tx, 1, 'Written')
        return changed(null, renamed(other.id))
      },
    }),
  )
  assert.equal(await nameOf(other.id), null)
})

test('a membership written without its history is rolled back, though its change is recorded', async () => {
  await checkUndone(
    command('POST /try', {
      ...spec,
      run: async ({ tx }) => {
        await tx.insertInto('userRoles').values({ userId: 1, roleId: 3 }).execute()
        return changed(null, renamed(1))
      },
    }),
  )
  assert.deepEqual(await portal.sql('select from user_roles where user_id = 1 and role_id = 3'), [])
})

const failings: Record<string, () => unknown> = {
  'an error': () => new Error('Some cause: password is hunter2'),
  'a text': () => 'Some cause',
}
for (const [what, make] of Object.entries(failings))
  test(`a command that throws ${what} is rolled back`, async () => {
    await checkUndone(
      command('POST /try', {
        ...spec,
        run: async ({ tx }) => {
          await rename(tx, 1, 'Written')
          throw make()
        },
      }),
    )
  })

/** A command that writes correctly and returns a reply that its shape does not allow. */
const answering = <R extends TSchema>(reply: R, answer: unknown) =>
  command('POST /try', {
    ...asked,
    reply,
    run: async ({ tx }) => {
      await rename(tx, 1, 'Written')
      return changed(answer as Static<R>, renamed(1))
    },
  })

const Person = Shape({ id: Type.Integer(), name: Type.String() })
const misshapen: Record<string, [reply: TSchema, answer: unknown]> = {
  'lacks a required field': [Person, { id: 1 }],
  'has a text for a number': [Person, { id: 'one', name: 'Huda' }],
  'is no list': [Type.Array(Person), { id: 1, name: 'Huda' }],
}
for (const [what, [reply, answer]] of Object.entries(misshapen))
  test(`a command whose reply ${what} is rolled back`, async () => {
    await checkUndone(answering(reply, answer))
  })

test('a query cannot write: its connection is read-only', async () => {
  await checkUndone(
    query('GET /try', {
      ...asked,
      reply: Success,
      run: async ({ db }) => {
        await assert.rejects(db.updateTable('users').set({ displayNameEn: 'Written' }).where('id', '=', 1).execute(), { code: '25006' })
        await db
          .insertInto('notifications')
          .values({ userId: 1, titleAr: '', titleEn: '', type: 'system' } as never)
          .execute()
        return { success: true }
      },
    }),
  )
})

test('the `prepare` of a command cannot write', async () => {
  await checkUndone(
    command('POST /try', {
      ...spec,
      prepare: async ({ db }) => db.updateTable('users').set({ displayNameEn: 'Written' }).where('id', '=', 1).execute(),
      run: async () => unchanged(null),
    }),
  )
})

test('undeclared fields never leave in a reply', async () => {
  const extra = { id: 1, name: 'Huda', passwordHash: 'secret' }
  const cut = query('GET /try', { ...asked, reply: Type.Array(Person), run: async () => [extra] })
  assert.deepEqual((await answerOf(cut)).body, [{ id: 1, name: 'Huda' }])
  const written = await answerOf(answering(Person, extra))
  assert.deepEqual([written.status, written.body], [200, { id: 1, name: 'Huda' }])
  assert.equal(await nameOf(1), 'Written')
})

/** A command whose change emits an event with this order. */
const emitting = (order: object) =>
  command('POST /try', {
    ...spec,
    run: async ({ tx }) => {
      await rename(tx, 1, 'Written')
      const params = { service: 'Coffee', person: '' }
      const whose = { userId: 1, wasAssignedTo: null, assignedTo: null }
      const facts = { from: 'received', to: 'preparing', ...whose, params: { ar: params, en: params } } as const
      const payload = { ...(order as Static<typeof ServiceOrder>), team: null }
      return changed(null, renamed(1), { kind: 'order.moved', targetId: 1, facts, payload })
    },
  })
const order = {
  ...{ id: 1, serviceId: 1, userId: 1, assignedTo: null, notes: null, status: 'preparing', next: [], undoUntil: null },
  ...{ createdAt: new Date(0), updatedAt: new Date(0), service: { id: 1, nameAr: '', nameEn: '', imageUrl: null } },
  ...{ requester: null, assignee: null },
}
const misfits: Record<string, object> = {
  'lacks a field': { ...order, next: undefined },
  'has a text for a number': { ...order, id: 'one' },
  'has no order at all': [],
}
for (const [what, wrong] of Object.entries(misfits))
  test(`a command whose event ${what} is rolled back`, async () => {
    await portal.meddle('user', 1, 'update users set display_name_en = null where id = 1')
    await checkUndone(emitting(wrong))
  })

test('undeclared fields never leave in an event', async () => {
  const { events } = await portal.traces(async () => {
    assert.equal((await answerOf(emitting({ ...order, secret: 'hunter2' }))).status, 204)
  })
  const updated = events.find(({ event }) => event === 'order_updated')!
  assert.deepEqual(updated.data, { order: JSON.parse(JSON.stringify(order)) })
})
