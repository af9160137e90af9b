/** Generated schedules of simultaneous actions on requests, over two instances, compared with a model. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { REQUESTS, requestPortal } from '../../../../test/meeting-requests.ts'
import { MEETINGS } from '../../../../test/meetings.ts'
import { Client, testPortal } from '../../../../test/portal.ts'
import {
  type Command,
  isDecision,
  type Model,
  type Name,
  names,
  readers,
  type Seen,
  type Status,
  seenIn,
  serially,
} from '../../../../test/request-model.ts'
import { generated } from '../../../../test/suite.ts'

const portal = testPortal()
const { who, newMeeting } = requestPortal(portal)

let otherInstance = ''
before(async () => {
  await portal.ready
  otherInstance = (await portal.another()).base
})
const personAt = (name: Name, instance: number) =>
  instance ? Object.assign(new Client(otherInstance), { cookie: who(name).cookie }) : who(name)
const nameOf = (person: { id: number } | null) => (person ? names.find((name) => who(name).id === person.id)! : null)

const actions = [
  ['ask', 1],
  ['withdraw', 1],
  ['resubmit', 4],
  ['approved', 1],
  ['rejected', 1],
  ['needs_edit', 4],
] as const
const wishes = fc.record({
  who: fc.constantFrom<Name>(...names, 'requester', 'requester', 'requester', 'own reviewer', 'reviewer'),
  does: fc.oneof(...actions.map(([does, weight]) => ({ arbitrary: fc.constant(does), weight }))),
  /** The place of a request, counted back from the most recent one. */
  which: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.nat(3)),
})
type Wish = typeof wishes extends fc.Arbitrary<infer W> ? W : never
const schedules = fc.array(fc.array(wishes, { minLength: 1, maxLength: 4 }), { minLength: 5, maxLength: 12 })
const FIRST: Wish[] = ['requester', 'own reviewer'].map((who) => ({ who: who as Name, does: 'ask', which: 0 }))
const UNKNOWN = 2 ** 31 - 1

/** The number of answers of each kind to each action. */
const answers: Record<string, number> = {}
let [bursts, texts] = [0, 0]

function send(client: Client, meetingId: number, { does, id, text }: Command) {
  if (does === 'ask') return client.post(REQUESTS, { type: 'note', meetingId, details: { text } })
  if (isDecision(does)) return client.patch(`${REQUESTS}/${id}`, { status: does })
  return client.patch(`${REQUESTS}/${id}`, { action: does, ...(does === 'resubmit' && { details: { text } }) })
}
/** Sends a command. Returns it with the id of the request that it made, if any, and the answer in the model's form. */
async function run(client: Client, meetingId: number, command: Command) {
  const { status, body } = await send(client, meetingId, command)
  const answer = `${status} ${status < 400 ? body.status : body.code}`
  const key = `${command.does} ${answer}`
  answers[key] = (answers[key] ?? 0) + 1
  return { command: status === 201 ? { ...command, id: body.id as number } : command, answer }
}

interface Shown {
  id: number
  requester: { id: number } | null
  reviewer: { id: number } | null
  status: Status
  details: { text: string }
  next: string[]
}
const asInModel = ({ id, requester, reviewer, status, details, next }: Shown) =>
  [id, { by: nameOf(requester), reviewer: nameOf(reviewer), status, text: details.text, next }] as const
async function seenInPortal(meetingId: number, instance: number): Promise<Seen> {
  const lists = readers.map(async (reader) => {
    const { body } = await personAt(reader, instance).get(`${REQUESTS}?meetingId=${meetingId}&limit=200`)
    return Object.fromEntries(body.items.map(asInModel))
  })
  const { notes } = (await portal.admin.get(`${MEETINGS}/${meetingId}`)).body
  return { requests: await Promise.all(lists), notes: notes === null ? [] : notes.split('\n').toSorted() }
}

async function checkSchedule(schedule: Wish[][]) {
  const { id: meetingId } = await newMeeting({ date: '2035-01-01' })
  let model: Model = { requests: {}, notes: [] }
  for (const burst of [FIRST, ...schedule]) {
    const known = Object.keys(model.requests).map(Number)
    const commands = burst.map(({ who, does, which }) => ({ who, does, id: known.at(-1 - which) ?? UNKNOWN, text: `text ${texts++}` }))
    const done = await Promise.all(commands.map((command, n) => run(personAt(command.who, (bursts + n) & 1), meetingId, command)))
    const seen = await seenInPortal(meetingId, ++bursts & 1)
    const ending = [...serially(model, done)].find((one) => isDeepStrictEqual(seenIn(one), seen))
    assert.ok(ending, ending ? '' : `no serial order gives this: ${JSON.stringify({ model, done, seen }, null, 1)}`)
    model = ending
  }
}

test('simultaneous actions on requests end as if they were done one after the other', async (t) => {
  await fc.assert(fc.asyncProperty(schedules, checkSchedule), { ...generated(4, 20), endOnFailure: true })
  t.diagnostic(`${bursts} bursts: ${JSON.stringify(answers)}`)
})
