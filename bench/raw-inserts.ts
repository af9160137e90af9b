/** The floor for placing orders: the same rows, inserted table by table in one transaction, on connections that do nothing else. */
import pg from 'pg'

interface Task {
  connection: pg.PoolConfig
  connections: number
  seconds: number
  serviceId: number
  requesters: number[]
  receivers: number[]
  subscriptions: number[]
}
const task = JSON.parse(process.env['RAW_INSERTS']!) as Task

const insertOrder = { text: 'insert into orders (service_id, user_id, notes) values ($1, $2, $3) returning id', name: 'order' }
const change = {
  text: "insert into ledger (kind, target_type, target_id, actor_id, actor_username, facts) values ('order.placed', 'order', $1, $2, 'person', $3)",
  name: 'change',
}
const row = (from: number, types: string[]) => `(${types.map((type, index) => `$${from + index}::${type}`).join()})`
const rows = (count: number, types: string[]) => Array.from({ length: count }, (_, n) => row(1 + n * types.length, types)).join()
const count = task.receivers.length
const notifications = {
  text: `insert into notifications (user_id, type, title_ar, title_en, body_ar, body_en, related_type, related_id)
         values ${rows(count, ['int', 'text', 'text', 'text', 'text', 'text', 'text', 'int'])} returning id`,
  name: 'notifications',
}
const events = {
  text: `insert into events (event, data, recipients) values ${rows(count + 2, ['text', 'json', 'int[]'])}`,
  name: 'events',
}
const pushes = {
  text: `insert into pushes (notification_id, subscription_id) values ${rows(count, ['int', 'int'])}`,
  name: 'pushes',
}

const words = { service: 'قهوة عربية مع التمر', person: 'الموظف رقم 1234' }
const facts = JSON.stringify({ serviceId: 1, words: { ar: words, en: words } })
const texts = [
  'order',
  'طلب جديد',
  'New order',
  'طلب الموظف رقم 1234 خدمة «قهوة عربية مع التمر».',
  'Employee number 1234 ordered “Arabic coffee”.',
  'order',
]

const NOTES = 'الطابق الثالث، القاعة الكبرى'

async function place(client: pg.Client, requester: number) {
  await client.query('begin')
  const placed = await client.query<{ id: number }>({ ...insertOrder, values: [task.serviceId, requester, NOTES] })
  const { id } = placed.rows[0]!
  await client.query({ ...change, values: [id, requester, facts] })
  const notified = await client.query<{ id: number }>({ ...notifications, values: task.receivers.flatMap((user) => [user, ...texts, id]) })
  const notificationEvents = notified.rows.flatMap((one, index) => [
    'notification_created',
    JSON.stringify({ notification: { ...one, userId: task.receivers[index], texts, isRead: false, createdAt: new Date() } }),
    [task.receivers[index]],
  ])
  const order = {
    id,
    serviceId: task.serviceId,
    userId: requester,
    status: 'pending',
    notes: NOTES,
    createdAt: new Date(),
    service: words,
    requester: words,
  }
  const updated = ['order_updated', JSON.stringify({ order }), [requester]]
  const incoming = [
    'order_incoming_changed',
    JSON.stringify({ orderId: id, status: 'pending', assignedTo: null, change: 'placed' }),
    task.receivers,
  ]
  await client.query({ ...events, values: [...notificationEvents, ...updated, ...incoming] })
  await client.query({ ...pushes, values: notified.rows.flatMap((one, index) => [one.id, task.subscriptions[index]]) })
  await client.query('commit')
}

const clients = Array.from({ length: task.connections }, () => new pg.Client(task.connection))
await Promise.all(clients.map((client) => client.connect()))
const end = performance.now() + task.seconds * 1000
let placed = 0
await Promise.all(
  clients.map(async (client, lane) => {
    // Divides the people among the lanes, so that every person gets equally many orders: a person may have at most a hundred waiting.
    for (let n = lane; performance.now() < end; n += clients.length, placed++)
      await place(client, task.requesters[n % task.requesters.length]!)
  }),
)
await Promise.all(clients.map((client) => client.end()))
console.log(`placed ${placed / task.seconds} a second`)
