/** Random schedules of what people do about requests, several things at once over two instances, held against a model of it said once more. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { REQUESTS, requestPortal } from '../../../test/meeting-requests.ts'
import { type Answer, Client, testPortal } from '../../../test/portal.ts'
import { generated } from '../../../test/suite.ts'

const portal = testPortal()
const { who, newMeeting, whenReady } = requestPortal(portal)

const names = ['viewer', 'requester', 'another requester', 'reviewer', 'own reviewer', 'admin', 'passer-by'] as const
type Name = (typeof names)[number]
const decisions = ['approved', 'rejected', 'needs_edit'] as const
type Decision = (typeof decisions)[number]
type Status = 'pending' | Decision | 'withdrawn'

// The model.

interface Request {
  by: Name
  reviewer: Name | null
  status: Status
  text: string
}
interface Model {
  requests: Record<number, Request>
  /** What was noted of the meeting they are about, in no order. */
  notes: string[]
}
interface Command {
  who: Name
  does: 'ask' | 'withdraw' | 'resubmit' | Decision
  id: number
  text: string
}

const isDecision = (does: Command['does']): does is Decision => decisions.includes(does as Decision)

function mayDo({ who, does }: Command, { by }: Request) {
  if (!isDecision(does)) return by === who
  return who === 'admin' || ((who === 'reviewer' || who === 'own reviewer') && by !== who)
}

/** Does it to the model, and answers as the portal does. */
function apply(model: Model, command: Command): string {
  const { who, does, id, text } = command
  if (who === 'passer-by') return '403 forbidden'
  if (does === 'ask') {
    if (who === 'viewer') return '403 forbidden'
    model.requests[id] = { by: who, reviewer: null, status: 'pending', text }
    return '201 pending'
  }
  const request = model.requests[id]
  if (!request) return '404 not_found'
  if (!mayDo(command, request)) return '403 forbidden'
  const isOpen = request.status === 'pending' || (request.status === 'needs_edit' && !isDecision(does))
  if (!isOpen || (does === 'resubmit' && request.status === 'pending')) return '400 invalid_transition'
  if (does === 'approved') model.notes = [...model.notes, request.text].toSorted()
  if (does === 'resubmit') request.text = text
  if (isDecision(does)) request.reviewer = who
  request.status = does === 'withdraw' ? 'withdrawn' : does === 'resubmit' ? 'pending' : does
  return `200 ${request.status}`
}

/** Everything each reader sees, in the model and in the portal. */
type Seen = Pick<Model, 'notes'> & { requests: Record<number, Request & { next: string[] }>[] }
const readers = ['viewer', 'requester', 'own reviewer', 'reviewer', 'admin'] as const
const everything = [...decisions, 'withdraw', 'resubmit'] as const

function lookAtModel(model: Model): Seen {
  const nextOf = (id: number, who: Name) =>
    everything.filter((does) => apply(structuredClone(model), { who, does, id, text: '' }).startsWith('200'))
  const requests = readers.map((who) =>
    Object.fromEntries(Object.entries(model.requests).map(([id, request]) => [id, { ...request, next: nextOf(Number(id), who) }])),
  )
  return { notes: model.notes, requests }
}

/** What the model may be after the commands, each of them in a serial order that gives every command the answer it got. */
function* serially(model: Model, commands: { command: Command; said: string }[]): Generator<Model> {
  if (commands.length === 0) yield model
  for (const [n, { command, said }] of commands.entries()) {
    const next = structuredClone(model)
    if (apply(next, command) === said) yield* serially(next, commands.toSpliced(n, 1))
  }
}

// The portal.

const verbs = [
  ['ask', 1],
  ['withdraw', 1],
  ['resubmit', 4],
  ['approved', 1],
  ['rejected', 1],
  ['needs_edit', 4],
] as const
const wishes = fc.record({
  who: fc.constantFrom<Name>(...names, 'requester', 'requester', 'requester', 'own reviewer', 'reviewer'),
  does: fc.oneof(...verbs.map(([does, weight]) => ({ arbitrary: fc.constant(does), weight }))),
  /** Which of the most recent requests, counted from the last. */
  which: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.nat(3)),
})
type Wish = typeof wishes extends fc.Arbitrary<infer W> ? W : never
const schedules = fc.array(fc.array(wishes, { minLength: 1, maxLength: 4 }), { minLength: 5, maxLength: 12 })
interface Shown {
  id: number
  requester: { id: number } | null
  reviewer: { id: number } | null
  status: Status
  details: { text: string }
  next: string[]
}
const FIRST: Wish[] = ['requester', 'own reviewer'].map((who) => ({ who: who as Name, does: 'ask', which: 0 }))
const UNKNOWN = 2 ** 31 - 1

test('simultaneous actions on requests end as if they were done one after the other', async (t) => {
  await whenReady()
  const elsewhere = (await portal.another()).base
  const at = (name: Name, instance: number) => (instance ? Object.assign(new Client(elsewhere), { cookie: who(name).cookie }) : who(name))
  const nameOf = (person: { id: number } | null) => (person ? names.find((name) => who(name).id === person.id)! : null)
  let [bursts, texts] = [0, 0]
  const told: Record<string, number> = {}

  async function run(schedule: Wish[][]) {
    const meeting = await newMeeting({ date: '2035-01-01' })
    let model: Model = { requests: {}, notes: [] }
    const known: number[] = []

    async function act({ who: name, does, id, text }: Command, instance: number) {
      const person = at(name, instance)
      const send = (): Promise<Answer> => {
        if (does === 'ask') return person.post(REQUESTS, { type: 'note', meetingId: meeting.id, details: { text } })
        if (isDecision(does)) return person.patch(`${REQUESTS}/${id}`, { status: does })
        return person.patch(`${REQUESTS}/${id}`, { action: does, ...(does === 'resubmit' && { details: { text } }) })
      }
      const { status, body } = await send()
      const said = `${status} ${status < 400 ? body.status : body.code}`
      told[`${does} ${said}`] = (told[`${does} ${said}`] ?? 0) + 1
      return { said, made: does === 'ask' && status === 201 ? (body.id as number) : id }
    }
    async function look(): Promise<Seen> {
      const requests = readers.map(async (reader) => {
        const { items } = (await at(reader, bursts & 1).get(`${REQUESTS}?meetingId=${meeting.id}&limit=200`)).body
        return Object.fromEntries(
          items.map(({ id, requester, reviewer, status, details, next }: Shown) => [
            id,
            { by: nameOf(requester), reviewer: nameOf(reviewer), status, text: details.text, next },
          ]),
        )
      })
      const { notes } = (await portal.admin.get(`/executive-meetings/${meeting.id}`)).body
      return { requests: await Promise.all(requests), notes: notes === null ? [] : notes.split('\n').toSorted() }
    }

    for (const wanted of [FIRST, ...schedule]) {
      const commands = wanted.map(
        ({ who, does, which }): Command => ({ who, does, id: known.at(-1 - which) ?? UNKNOWN, text: `text ${texts++}` }),
      )
      const done = await Promise.all(
        commands.map(async (command, n) => {
          const { said, made } = await act(command, (bursts + n) & 1)
          return { command: { ...command, id: made }, said }
        }),
      )
      known.push(
        ...done
          .filter(({ said }) => said.startsWith('201'))
          .map(({ command }) => command.id)
          .toSorted((a, b) => a - b),
      )
      bursts++
      const seen = await look()
      const ending = [...serially(model, done)].find((one) => isDeepStrictEqual(lookAtModel(one), seen))
      assert.ok(ending, ending ? '' : `no serial order gives this: ${JSON.stringify({ model, done, seen }, null, 1)}`)
      model = ending
    }
  }

  await fc.assert(fc.asyncProperty(schedules, run), { ...generated(4, 20), endOnFailure: true })
  t.diagnostic(`${bursts} bursts: ${JSON.stringify(told)}`)
})
