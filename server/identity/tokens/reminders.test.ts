import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runJob } from '../../../test/jobs.ts'
import { testPortal } from '../../../test/portal.ts'
import { addProgram } from '../../../test/service-accounts.ts'
import { giveToken } from '../../../test/tokens.ts'

const portal = testPortal()

/** Moves the end of a token to `days` from now, and its making to 60 days ago. */
async function endIn(userId: number, id: number, days: string) {
  const end = `now() + interval '${days}'`
  await portal.meddle('user', userId, `update api_tokens set expires_at = ${end}, created_at = now() - interval '60 days' where id = ${id}`)
  await portal.sql(`update sessions set expires_at = ${end} from api_tokens where session_id = sessions.id and api_tokens.id = $1`, [id])
}
const remind = () => portal.traces(() => runJob(portal, 'remind'))
const told = async () => (await remind()).notices.map(({ user, titleEn }) => [user, titleEn])

test('the owner of a token is told 14 and 3 days before its end, once each', async () => {
  const person = await portal.person('owner')
  const { id } = await giveToken(portal, person.id)
  assert.deepEqual(await told(), [])
  await endIn(person.id, id, '14 days 1 hour')
  assert.deepEqual(await told(), [])
  for (const days of ['13 days 23 hours', '2 days 23 hours']) {
    await endIn(person.id, id, days)
    assert.deepEqual(await told(), [[person.id, 'A token ends soon']])
    assert.deepEqual(await told(), [])
  }
  await endIn(person.id, id, '-1 hour')
  assert.deepEqual(await told(), [])
})

test('of two reminders that are due, only the later one is sent', async () => {
  const person = await portal.person('both')
  const { id } = await giveToken(portal, person.id)
  await endIn(person.id, id, '1 day')
  assert.deepEqual(await told(), [[person.id, 'A token ends soon']])
  assert.deepEqual(await told(), [])
})

test('nobody is reminded of a token that was made after the moment of the reminder, has ended or belongs to somebody inactive', async () => {
  const person = await portal.person('silent')
  await giveToken(portal, person.id, { days: 10 })
  await giveToken(portal, person.id, { days: 2 })
  const ended = await giveToken(portal, person.id)
  await endIn(person.id, ended.id, '2 days')
  await person.delete(`/auth/me/tokens/${ended.id}`)
  const inactive = await portal.person('inactive')
  const left = await giveToken(portal, inactive.id)
  await endIn(inactive.id, left.id, '2 days')
  await portal.admin.patch(`/users/${inactive.id}`, { isActive: false })
  assert.deepEqual(await told(), [])
})

test('reminders of a service account’s token go to its contact and the administrators, once each', async () => {
  const contact = await portal.person('contact')
  const second = await portal.person('second', { roles: ['admin'] })
  const program = await addProgram(portal, 'robot', { contact: contact.id })
  const led = await addProgram(portal, 'led', { contact: second.id })
  for (const { id } of [program, led]) {
    const token = await giveToken(portal, id, { kind: 'service' })
    await endIn(id, token.id, '2 days')
  }
  const title = 'A token of a service account ends soon'
  const ids = [portal.admin.id, second.id, portal.admin.id, contact.id, second.id].toSorted((one, other) => one - other)
  assert.deepEqual(
    (await told()).toSorted(([one], [other]) => Number(one) - Number(other)),
    ids.map((id) => [id, title]),
  )
})
