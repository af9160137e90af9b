import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Client, PASSWORD, testPortal } from './portal.ts'

const portal = testPortal()

const columns = (table: string, leave: string[]) => `select to_jsonb(t) - array['${leave.join(`','`)}'] as row from ${table} t`

const OF_SESSION = ['id', 'user_id', 'token_hash', 'created_at', 'last_used_at', 'expires_at', 'confirmed_at']

/** Everything stored about a person, without values that always differ: ids, times, secrets. */
async function rowsOf({ id }: Client) {
  const read = async (query: string) => (await portal.sql<{ row: object }>(query, [id])).map(({ row }) => row)
  return {
    person: await read(`${columns('users', ['id', 'created_at', 'password_hash'])} where id = $1`),
    access: await read(`${columns('user_access', ['user_id', 'version'])} where user_id = $1`),
    roles: await read(`${columns('user_roles', ['user_id'])} where user_id = $1 order by role_id`),
    groups: await read(`${columns('group_users', ['user_id'])} where user_id = $1 order by group_id`),
    sessions: await read(`${columns('sessions', OF_SESSION)} where user_id = $1`),
    ledger: await read(
      `${columns('ledger', ['id', 'at', 'tx', 'target_id', 'seal'])} where target_type = 'user' and target_id = $1 order by id`,
    ),
    histories: await read(
      `${columns('permission_history', ['id', 'at', 'tx', 'target_id'])} where kind like 'user.%' and target_id = $1 order by id`,
    ),
    mirrored: await read(
      `${columns('permission_history', ['id', 'at', 'tx', 'added', 'removed'])} where kind = 'group.users' and $1 = any(added) order by id`,
    ),
    events: await read(
      `${columns('events', ['id', 'at', 'tx', 'recipients'])} where $1 = any(recipients) and event <> 'admin_changed' order by id`,
    ),
  }
}

test('people made by the helpers have the rows that the endpoints write', async () => {
  const fields = { displayNameEn: 'Someone', preferredLanguage: 'en' as const }
  const { body: group } = await portal.admin.post('/groups', { name: 'Both' })
  const made = await portal.person('huda', { ...fields, groupIds: [group.id], roles: ['order_receiver', 'admin'] })

  const created = await portal.admin.post('/users', {
    username: 'hoda',
    email: 'hoda@example.org',
    password: PASSWORD,
    groupIds: [group.id],
    ...fields,
  })
  for (const roleName of ['order_receiver', 'admin']) await portal.admin.post(`/users/${created.body.id}/roles`, { roleName })
  const signedIn = await portal.stranger().signIn('hoda')

  const plainRows = async (client: Client) => {
    const text = JSON.stringify(await rowsOf(client))
    return JSON.parse(text.replaceAll(client.username, '…').replaceAll(`"actor_id":${client.id},`, ''))
  }
  assert.deepEqual(await plainRows(made), await plainRows(signedIn))
  assert.equal((await made.get('/auth/me')).status, 200)
  assert.equal((await portal.stranger().post('/auth/login', { username: 'huda', password: PASSWORD })).status, 200)
})
