/** Generated sequences of actions on a note, compared with a model: each answer, everyone's view afterwards, and the events. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { makers } from '../../../test/makers.ts'
import { thread, writeNote } from '../../../test/notes.ts'
import { testPortal } from '../../../test/portal.ts'
import { type AtBoth, twoInstances } from '../../../test/race.ts'
import { generated } from '../../../test/suite.ts'

const portal = testPortal()
const { newPerson } = makers(portal)

const readers = ['omar', 'rana'] as const
type Reader = (typeof readers)[number]
type Name = Reader | 'huda'

// The model.

interface Copy {
  status: 'unread' | 'read' | 'replied' | 'archived'
  before: Exclude<Copy['status'], 'archived'> | null
  hasReadAt: boolean
  replies: string[]
}
interface Note {
  isGone: boolean
  title: string
  copies: Partial<Record<Reader, Copy>>
}
type Action =
  | { type: 'send'; to: Reader[] }
  | { type: 'edit'; title: string }
  | { type: 'answer'; to: Reader | undefined }
  | { type: 'read'; who: Reader }
  | { type: 'reply'; who: Reader }
  | { type: 'mark'; who: Reader; as: 'read' | 'unread' | 'archived' }
  | { type: 'delete'; who: Name }

/** The expected answer, and the events by person. */
interface Outcome {
  answers: string
  events: [change: string, ...names: Name[]][]
}
const outcome = (answers: string, ...events: Outcome['events']): Outcome => ({ answers, events })
const missing = outcome('404 not_found')

function apply(note: Note, action: Action, n: number): Outcome {
  const known = readers.filter((name) => note.copies[name])
  if (note.isGone) return missing
  if (action.type === 'delete') {
    if (action.who !== 'huda') return missing
    note.isGone = true
    return outcome('204', ['deleted', 'huda', ...known])
  }
  if (action.type === 'edit') {
    if (action.title === note.title) return outcome('200')
    note.title = action.title
    return outcome('200', ['updated', 'huda', ...known])
  }
  if (action.type === 'send') {
    const added = action.to.filter((name) => !note.copies[name])
    for (const name of added) note.copies[name] = { status: 'unread', before: null, hasReadAt: false, replies: [] }
    return added.length ? outcome(`200 ${added.length}`, ['received', ...added], ['updated', 'huda']) : outcome('200 0')
  }
  if (action.type === 'answer') {
    const to = action.to ?? (known.length === 1 ? known[0]! : null)
    if (!to) return outcome('400 validation_failed')
    const copy = note.copies[to]
    if (!copy) return outcome('400 unknown_ids')
    copy.replies.push(`huda ${n}`)
    return outcome('201', ['replied', 'huda', to])
  }
  const copy = note.copies[action.who]
  if (!copy) return missing
  if (action.type === 'reply') {
    Object.assign(copy, { status: 'replied', before: null, hasReadAt: true })
    copy.replies.push(`${action.who} ${n}`)
    return outcome('201', ['replied', 'huda', action.who])
  }
  const to = becomes(copy, action)
  const answers = `200 ${to}`
  if (to === copy.status) return outcome(answers)
  copy.before = to === 'archived' ? (copy.status as Copy['before']) : null
  copy.status = to
  if (to === 'unread') copy.hasReadAt = false
  if (to === 'read' || to === 'replied') copy.hasReadAt = true
  return outcome(answers, ['status', 'huda', action.who])
}

function becomes({ status, before }: Copy, action: Action): Copy['status'] {
  if (action.type === 'read') return status === 'unread' ? 'read' : status
  const as = (action as { as: 'read' | 'unread' | 'archived' }).as
  if (as === 'archived') return 'archived'
  if (status === 'archived') return before!
  return status === 'replied' && as === 'read' ? 'replied' : as
}

// The portal.

interface Setting {
  id: number
  people: Record<Name, AtBoth>
  rows: Partial<Record<Reader, number>>
}

const nameOf = ({ people }: Setting, id: number) => (Object.keys(people) as Name[]).find((name) => people[name][0].id === id)!

async function ask({ id, people, rows }: Setting, action: Action, n: number) {
  const as = (name: Name) => people[name][(n & 1) as 0 | 1]
  const idOf = (name: Name) => people[name][0].id
  if (action.type === 'send') return as('huda').post(`/notes/${id}/send`, { recipientUserIds: action.to.map(idOf) })
  if (action.type === 'edit') return as('huda').patch(`/notes/${id}`, { title: action.title })
  if (action.type === 'delete') return as(action.who).delete(`/notes/${id}`)
  if (action.type === 'answer')
    return as('huda').post(`/notes/${id}/replies`, { content: `huda ${n}`, recipientUserId: action.to && idOf(action.to) })
  if (action.type === 'reply') return as(action.who).post(`/notes/${id}/replies`, { content: `${action.who} ${n}` })
  if (action.type === 'read') return as(action.who).get(`/notes/${id}/thread`)
  return as(action.who).patch(`/notes/received/${rows[action.who] ?? 2147483647}`, { status: action.as })
}

async function act(setting: Setting, action: Action, n: number): Promise<Outcome> {
  let answers = ''
  const { events } = await portal.traces(async () => {
    const { status, body } = await ask(setting, action, n)
    const reply =
      action.type === 'send' ? body?.sent : action.type === 'read' ? body?.myStatus : action.type === 'mark' ? body?.status : undefined
    answers = [status, body?.code ?? reply].filter((word) => word !== undefined).join(' ')
  })
  const changes = events.flatMap(({ event, data, to }): Outcome['events'] =>
    event === 'note_changed' ? [[(data as { change: string }).change, ...to!.map((id) => nameOf(setting, id)).toSorted()]] : [],
  )
  return { answers, events: changes }
}
const inOrder = ({ answers, events }: Outcome): Outcome => ({
  answers,
  events: events.map(([change, ...names]) => [change, ...names.toSorted()]),
})

const visible = ({ status, hasReadAt }: Copy) => ({ status, isRead: hasReadAt })
const shown = ({ status, readAt }: { status: string; readAt: string | null }) => ({ status, isRead: readAt !== null })

/** Asserts everyone's view of the note without reading it: the owner's in the sent list and the thread, recipients' in their lists. */
async function assertSeen(setting: Setting, note: Note) {
  const { id, people } = setting
  const [huda] = people.huda
  const sent = (await huda.get('/notes/sent')).body.find((one: { id: number }) => one.id === id)
  const known = readers.filter((name) => note.copies[name])
  if (note.isGone || known.length === 0) assert.equal(sent, undefined)
  else {
    const whole = await thread(huda, id)
    assert.deepEqual([sent.title, whole.title], [note.title, note.title])
    const expected = Object.fromEntries(known.map((name) => [name, visible(note.copies[name]!)]))
    for (const { recipients } of [sent, whole])
      assert.deepEqual(
        Object.fromEntries(
          recipients.map((one: { recipientUserId: number; status: string; readAt: string | null }) => [
            nameOf(setting, one.recipientUserId),
            shown(one),
          ]),
        ),
        expected,
      )
    const all = known.flatMap((name) => note.copies[name]!.replies)
    assert.deepEqual(whole.replies.map(({ content }: { content: string }) => content).toSorted(), all.toSorted())
    assert.equal(sent.replyCount, all.length)
  }
  for (const name of readers) {
    const [tabs, copy] = [['active', 'archived'], note.isGone ? undefined : note.copies[name]]
    for (const tab of tabs) {
      const found = (await people[name][1].get(`/notes/received?tab=${tab}`)).body.find((one: { id: number }) => one.id === id)
      const isHere = copy !== undefined && (copy.status === 'archived') === (tab === 'archived')
      assert.deepEqual(found && { title: found.title, ...shown(found) }, isHere ? { title: note.title, ...visible(copy) } : undefined)
      if (found) setting.rows[name] = found.recipientRowId
    }
    // Opening the thread of an unread note reads it, which is an action of its own.
    if (copy && copy.status !== 'unread') {
      const part = await thread(people[name][0], id)
      assert.deepEqual([part.myStatus, part.replies.map(({ content }: { content: string }) => content)], [copy.status, copy.replies])
    }
  }
}

const reader = fc.constantFrom(...readers)
const actions = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant('send' as const), to: fc.uniqueArray(reader, { minLength: 1 }) }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constantFrom('read' as const, 'reply' as const), who: reader }) },
  {
    weight: 6,
    arbitrary: fc.record({ type: fc.constant('mark' as const), who: reader, as: fc.constantFrom('read', 'unread', 'archived') }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('answer' as const), to: fc.option(reader, { nil: undefined }) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('edit' as const), title: fc.constantFrom('Plan', 'Plan B') }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('delete' as const), who: fc.constantFrom('huda', ...readers) }) },
) as fc.Arbitrary<Action>

/** The number of notes, and the fewest actions on each. */
const NOTES = 20
const SHORTEST = 8

test('after each action on a note, its owner and recipients see the model’s state, and the expected people get events', async (t) => {
  const atBoth = twoInstances(portal)
  const people = { huda: await atBoth(await newPerson()), omar: await atBoth(await newPerson()), rana: await atBoth(await newPerson()) }
  let done = 0
  const property = fc.asyncProperty(fc.array(actions, { minLength: SHORTEST, maxLength: 25 }), async (sequence) => {
    const setting: Setting = { id: await writeNote(people.huda[0]), people, rows: {} }
    const note: Note = { isGone: false, title: 'Plan', copies: {} }
    for (const [n, action] of sequence.entries()) {
      const expected = inOrder(apply(note, action, n))
      assert.deepEqual(await act(setting, action, n), expected, JSON.stringify(action))
      await assertSeen(setting, note)
      done++
    }
    await people.huda[0].delete(`/notes/${setting.id}`)
  })
  await fc.assert(property, { ...generated(NOTES, NOTES), endOnFailure: true })
  t.diagnostic(`${done} actions`)
  assert.ok(done >= NOTES * SHORTEST)
})
