/** Other people's calls are answered however many calls of one person wait for the database. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { type Answer, type Client, testPortal, until } from './portal.ts'

const portal = testPortal()

const CALLS = 64
/** The number of calls of the other person, sent one by one: more than the portal has connections. */
const OTHERS = 20

const waiting = async () =>
  (await portal.sql(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)).length

/** Lets one person's calls wait for the locks of `statement`. Asserts that calls of `others` are answered before them. */
async function checkOthers(statement: string, call: () => Promise<Answer>, others: () => Promise<Answer>) {
  const client = new pg.Client(portal.connection)
  await client.connect()
  await client.query(`begin; ${statement}`)
  const calls = Array.from({ length: CALLS }, call)
  try {
    await until('their share of the connections waits', async () => (await waiting()) >= 3)
    for (let n = 0; n < OTHERS; n++) {
      const { status, text } = await others()
      assert.equal(status, 200, text)
    }
    assert.equal(await waiting(), 3)
  } finally {
    await client.end()
  }
  for (const { status, text } of await Promise.all(calls)) assert.equal(status, 200, text)
}

const choose = (who: Client) => () => who.patch('/auth/me/language', { language: 'en' })

test('commands of one person that wait for the database do not delay the commands of other people', async () => {
  const [greedy, other] = [await portal.person('greedy'), await portal.person('other')]
  await checkOthers(`select from user_access where user_id = ${greedy.id} for update`, choose(greedy), choose(other))
})

test('reads of one person that wait for the database do not delay the reads of other people', async () => {
  const [greedy, other] = [await portal.person('reader'), await portal.person('neighbour')]
  await checkOthers(
    'lock table note_labels in access exclusive mode',
    () => greedy.get('/notes/labels'),
    () => other.get('/notes/folders'),
  )
})
