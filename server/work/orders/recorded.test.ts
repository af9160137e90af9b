/** Records the answers, notifications and events of orders of a service without a handling, byte for byte. */
import { test } from 'node:test'
import { assertPage } from '../../../test/one-page.ts'
import { type Answer, testPortal } from '../../../test/portal.ts'

const portal = testPortal()

/** Replaces timestamps, because only those differ from run to run. */
const settled = (text: string) => text.replace(/"[^"]*T\d\d:\d\d:\d\d[^"]*Z"/g, '"(moment)"')

test('orders of a service without a handling leave exactly the recorded answers, notifications and events', async (t) => {
  const lines: string[] = []
  const people = {
    huda: await portal.person('recorded-huda'),
    omar: await portal.person('recorded-omar', { roles: ['order_receiver'] }),
    salem: await portal.person('recorded-salem', { roles: ['order_receiver'] }),
    rana: await portal.person('recorded-rana'),
    admin: portal.admin,
  }
  type Name = keyof typeof people
  const rows = async (last: { events: number; notifications: number; ledger: number }) => {
    const of = (table: string, columns: string, id: number) =>
      portal.sql<{ id: number; row: string }>(
        `select id::int, (select json_agg(shown) from (select ${columns}) as shown)::text as row from ${table} where id > ${id} order by id`,
      )
    return {
      events: await of('events', 'event, data, recipients', last.events),
      notifications: await of(
        'notifications',
        'user_id, type, title_ar, title_en, body_ar, body_en, related_type, related_id, is_read',
        last.notifications,
      ),
      ledger: await of('ledger', 'kind, action, target_type, target_id, actor_username, facts', last.ledger),
    }
  }
  const last = { events: 0, notifications: 0, ledger: 0 }
  /** Returns the rows that were added since the last call. */
  async function news() {
    const found = await rows(last)
    for (const [table, some] of Object.entries(found))
      last[table as keyof typeof last] = some.at(-1)?.id ?? last[table as keyof typeof last]
    return found
  }
  async function says(who: Name, method: string, path: string, body?: object): Promise<Answer> {
    const answer = await people[who].send(method, path, body && JSON.stringify(body), body && { 'content-type': 'application/json' })
    lines.push(`${who}: ${method} ${path} ${body ? JSON.stringify(body) : ''}`.trim(), `  ${answer.status} ${settled(answer.text)}`)
    for (const [table, some] of Object.entries(await news())) for (const { row } of some) lines.push(`  ${table} ${settled(row)}`)
    return answer
  }
  const service = async (fields: object) => (await portal.admin.post('/services', fields)).body.id as number
  const coffee = await service({ nameAr: 'قهوة', nameEn: 'Coffee' })
  const closed = await service({ nameAr: 'شاي', nameEn: 'Tea', isAvailable: false })
  await news()
  const place = async (notes: string | null = null) =>
    (await says('huda', 'POST', '/orders', { serviceId: coffee, notes })).body.id as number

  const first = await place('الطابق الثالث')
  for (const body of [{ serviceId: closed }, { serviceId: 99_999 }, { serviceId: 'x' }, {}]) await says('huda', 'POST', '/orders', body)
  for (const who of ['huda', 'omar', 'rana', 'admin'] as const) {
    await says(who, 'GET', `/orders/${first}`)
    await says(who, 'GET', '/orders/my')
    await says(who, 'GET', '/orders/incoming')
    await says(who, 'GET', '/orders/receivers')
    await says(who, 'GET', '/services')
  }
  await says('rana', 'PATCH', `/orders/${first}/confirm-receipt`)
  await says('omar', 'PATCH', `/orders/${first}/confirm-receipt`)
  await says('salem', 'PATCH', `/orders/${first}/confirm-receipt`)
  await says('omar', 'PATCH', `/orders/${first}/status`, { status: 'preparing' })
  await says('omar', 'PATCH', `/orders/${first}/status`, { status: 'pending' })
  await says('omar', 'PATCH', `/orders/${first}/status`, { status: 'completed' })
  await says('admin', 'GET', '/orders')
  await says('rana', 'DELETE', `/orders/${first}`)
  await says('huda', 'DELETE', `/orders/${first}`)

  const second = await place()
  await says('huda', 'PATCH', `/orders/${second}/status`, { status: 'cancelled' })
  await says('huda', 'PATCH', `/orders/${second}/status`, { status: 'pending' })
  await says('admin', 'POST', `/orders/${second}/assign`, { userId: people.salem.id })
  await says('admin', 'POST', `/orders/${second}/assign`, { userId: people.rana.id })
  await says('salem', 'POST', `/orders/${second}/release`)
  await says('salem', 'PATCH', `/orders/${second}/confirm-receipt`)
  await says('salem', 'PATCH', `/orders/${second}/status`, { status: 'cancelled' })
  await says('admin', 'PATCH', `/orders/${second}/status`, { status: 'received' })
  await says('admin', 'DELETE', `/users/${people.salem.id}`)
  await says('admin', 'DELETE', `/services/${coffee}`)
  await says('admin', 'DELETE', `/services/${coffee}?force=true`)
  assertPage(t, lines, new URL('recorded.txt', import.meta.url))
})
