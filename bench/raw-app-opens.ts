/** The floor for app opens: one row, one statement and one commit each. */
import pg from 'pg'

interface Task {
  connection: pg.PoolConfig
  connections: number
  seconds: number
  appIds: number[]
  userIds: number[]
}
const { connection, connections, seconds, appIds, userIds } = JSON.parse(process.env['RAW_APP_OPENS']!) as Task

const clients = Array.from({ length: connections }, () => new pg.Client(connection))
await Promise.all(clients.map((client) => client.connect()))
const end = performance.now() + seconds * 1000
let noted = 0
await Promise.all(
  clients.map(async (client, lane) => {
    for (let n = lane; performance.now() < end; n += connections, noted++) {
      const values = [appIds[n % appIds.length], userIds[n % userIds.length]]
      await client.query({ name: 'open', text: 'insert into app_opens (app_id, user_id) values ($1, $2)', values })
    }
  }),
)
await Promise.all(clients.map((client) => client.end()))
console.log(`noted ${noted / seconds} a second`)
