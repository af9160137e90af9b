import assert from 'node:assert/strict'
import { test } from 'node:test'
import { house, until } from './house.ts'

const portal = house()

test('a stream ends with its reason when its session does', async () => {
  const visitor = portal.stranger()
  await visitor.post('/auth/register', { username: 'huda', email: 'huda@example.org', password: 'secret123' })
  const stream = await visitor.listen()
  await visitor.post('/auth/logout')
  assert.deepEqual((await stream.next('session_ended')).data, { reason: 'logout' })
  await until('the stream is closed', () => !stream.isOpen)
})
