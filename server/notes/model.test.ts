/** Random lives of a note, compared with a model of it: each answer, what everyone sees afterwards, and who is told. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { makers } from '../../test/makers.ts'
import { thread, writeNote } from '../../test/notes.ts'
import { Client, testPortal } from '../../test/portal.ts'
import { generated, scale } from '../../test/suite.ts'

const portal = testPortal()
const { newPerson } = makers(portal)

const readers = ['omar', 'rana'] as const
type Reader = (typeof readers)[number]
type Name = Reader | 'huda'

// The model.

interface Hands {
  status: 'unread' | 'read' | 'replied' | 'archived'
  before: Exclude<Hands['status'], 'archived'> | null
  hasReadAt: boolean
  replies: string[]
}
interface Note {
  isGone: boolean
  title: string
  hands: Partial<Record<Reader, Hands>>
}
type Deed =
  | { does: 'send'; to: Reader[] }
  | { does: 'edit'; title: string }
  | { does: 'answer'; to: Reader | undefined }
  | { does: 'read'; who: Reader }
  | { does: 'reply'; who: Reader }
  | { does: 'mark'; who: Reader; as: 'read' | 'unread' | 'archived' }
  | { does: 'delete'; who: Name }

/** The answer of the portal, and the events by person. */
interface Outcome {
  answers: string
  heard: [change: string, ...names: Name[]][]
}
const outcome = (answers: string, ...heard: Outcome['heard']): Outcome => ({ answers, heard })
const missing = outcome('404 not_found')

function apply(note: Note, deed: Deed, n: number): Outcome {
  const known = readers.filter((name) => note.hands[name])
  if (note.isGone) return missing
  if (deed.does === 'delete') {
    if (deed.who !== 'huda') return missing
    note.isGone = true
    return outcome('204', ['deleted', 'huda', ...known])
  }
  if (deed.does === 'edit') {
    if (deed.title === note.title) return outcome('200')
    note.title = deed.title
    return outcome('200', ['updated', 'huda', ...known])
  }
  if (deed.does === 'send') {
    const anew = deed.to.filter((name) => !note.hands[name])
    for (const name of anew) note.hands[name] = { status: 'unread', before: null, hasReadAt: false, replies: [] }
    return anew.length ? outcome(`200 ${anew.length}`, ['received', ...anew], ['updated', 'huda']) : outcome('200 0')
  }
  if (deed.does === 'answer') {
    const to = deed.to ?? (known.length === 1 ? known[0]! : null)
    if (!to) return outcome('400 validation_failed')
    const hands = note.hands[to]
    if (!hands) return outcome('400 unknown_ids')
    hands.replies.push(`huda ${n}`)
    return outcome('201', ['replied', 'huda', to])
  }
  const hands = note.hands[deed.who]
  if (!hands) return missing
  if (deed.does === 'reply') {
    Object.assign(hands, { status: 'replied', before: null, hasReadAt: true })
    hands.replies.push(`${deed.who} ${n}`)
    return outcome('201', ['replied', 'huda', deed.who])
  }
  const to = becomes(hands, deed)
  const answers = `200 ${to}`
  if (to === hands.status) return outcome(answers)
  hands.before = to === 'archived' ? (hands.status as Hands['before']) : null
  hands.status = to
  if (to === 'unread') hands.hasReadAt = false
  if (to === 'read' || to === 'replied') hands.hasReadAt = true
  return outcome(answers, ['status', 'huda', deed.who])
}

function becomes({ status, before }: Hands, deed: Deed): Hands['status'] {
  if (deed.does === 'read') return status === 'unread' ? 'read' : status
  const as = (deed as { as: 'read' | 'unread' | 'archived' }).as
  if (as === 'archived') return 'archived'
  if (status === 'archived') return before!
  return status === 'replied' && as === 'read' ? 'replied' : as
}

// The portal.

interface Stage {
  id: number
  people: Record<Name, [Client, Client]>
  rows: Partial<Record<Reader, number>>
}

const nameOf = ({ people }: Stage, id: number) => (Object.keys(people) as Name[]).find((name) => people[name][0].id === id)!

async function ask({ id, people, rows }: Stage, deed: Deed, n: number) {
  const as = (name: Name) => people[name][(n & 1) as 0 | 1]
  const idOf = (name: Name) => people[name][0].id
  if (deed.does === 'send') return as('huda').post(`/notes/${id}/send`, { recipientUserIds: deed.to.map(idOf) })
  if (deed.does === 'edit') return as('huda').patch(`/notes/${id}`, { title: deed.title })
  if (deed.does === 'delete') return as(deed.who).delete(`/notes/${id}`)
  if (deed.does === 'answer')
    return as('huda').post(`/notes/${id}/replies`, { content: `huda ${n}`, recipientUserId: deed.to && idOf(deed.to) })
  if (deed.does === 'reply') return as(deed.who).post(`/notes/${id}/replies`, { content: `${deed.who} ${n}` })
  if (deed.does === 'read') return as(deed.who).get(`/notes/${id}/thread`)
  return as(deed.who).patch(`/notes/received/${rows[deed.who] ?? 2147483647}`, { status: deed.as })
}

async function act(stage: Stage, deed: Deed, n: number): Promise<Outcome> {
  let answers = ''
  const { events } = await portal.traces(async () => {
    const { status, body } = await ask(stage, deed, n)
    const reply =
      deed.does === 'send' ? body?.sent : deed.does === 'read' ? body?.myStatus : deed.does === 'mark' ? body?.status : undefined
    answers = [status, body?.code ?? reply].filter((word) => word !== undefined).join(' ')
  })
  const heard = events.flatMap(({ event, data, to }): Outcome['heard'] =>
    event === 'note_changed' ? [[(data as { change: string }).change, ...to!.map((id) => nameOf(stage, id)).toSorted()]] : [],
  )
  return { answers, heard }
}
const inOrder = ({ answers, heard }: Outcome): Outcome => ({
  answers,
  heard: heard.map(([change, ...names]) => [change, ...names.toSorted()]),
})

const visible = ({ status, hasReadAt }: Hands) => ({ status, isRead: hasReadAt })
const shown = ({ status, readAt }: { status: string; readAt: string | null }) => ({ status, isRead: readAt !== null })

/** What everyone sees of the note without reading it: the owner in the sent list and the thread, recipients in their lists. */
async function assertSeen(stage: Stage, note: Note) {
  const { id, people } = stage
  const [huda] = people.huda
  const sent = (await huda.get('/notes/sent')).body.find((one: { id: number }) => one.id === id)
  const known = readers.filter((name) => note.hands[name])
  if (note.isGone || known.length === 0) assert.equal(sent, undefined)
  else {
    const whole = await thread(huda, id)
    assert.deepEqual([sent.title, whole.title], [note.title, note.title])
    const expected = Object.fromEntries(known.map((name) => [name, visible(note.hands[name]!)]))
    for (const { recipients } of [sent, whole])
      assert.deepEqual(
        Object.fromEntries(
          recipients.map((one: { recipientUserId: number; status: string; readAt: string | null }) => [
            nameOf(stage, one.recipientUserId),
            shown(one),
          ]),
        ),
        expected,
      )
    const all = known.flatMap((name) => note.hands[name]!.replies)
    assert.deepEqual(whole.replies.map(({ content }: { content: string }) => content).toSorted(), all.toSorted())
    assert.equal(sent.replyCount, all.length)
  }
  for (const name of readers) {
    const [tabs, hands] = [['active', 'archived'], note.isGone ? undefined : note.hands[name]]
    for (const tab of tabs) {
      const found = (await people[name][1].get(`/notes/received?tab=${tab}`)).body.find((one: { id: number }) => one.id === id)
      const isHere = hands !== undefined && (hands.status === 'archived') === (tab === 'archived')
      assert.deepEqual(found && { title: found.title, ...shown(found) }, isHere ? { title: note.title, ...visible(hands) } : undefined)
      if (found) stage.rows[name] = found.recipientRowId
    }
    // Opening the thread of an unread note reads it, which is an action of its own.
    if (hands && hands.status !== 'unread') {
      const part = await thread(people[name][0], id)
      assert.deepEqual([part.myStatus, part.replies.map(({ content }: { content: string }) => content)], [hands.status, hands.replies])
    }
  }
}

const reader = fc.constantFrom(...readers)
const deeds = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant('send' as const), to: fc.uniqueArray(reader, { minLength: 1 }) }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constantFrom('read' as const, 'reply' as const), who: reader }) },
  {
    weight: 6,
    arbitrary: fc.record({ does: fc.constant('mark' as const), who: reader, as: fc.constantFrom('read', 'unread', 'archived') }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('answer' as const), to: fc.option(reader, { nil: undefined }) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('edit' as const), title: fc.constantFrom('Plan', 'Plan B') }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('delete' as const), who: fc.constantFrom('huda', ...readers) }) },
) as fc.Arbitrary<Deed>

/** So many notes live, each through at least so many deeds. */
const LIVES = scale(4, 20)
const SHORTEST = 8

test('whatever its owner and two recipients do, each sees the note as the model does, and the right people are told', async (t) => {
  const elsewhere = (await portal.another()).base
  const both = async (): Promise<[Client, Client]> => {
    const person = await newPerson()
    return [person, Object.assign(new Client(elsewhere), { cookie: person.cookie, id: person.id })]
  }
  const people = { huda: await both(), omar: await both(), rana: await both() }
  let done = 0
  const property = fc.asyncProperty(fc.array(deeds, { minLength: SHORTEST, maxLength: 25 }), async (life) => {
    const stage: Stage = { id: await writeNote(people.huda[0]), people, rows: {} }
    const note: Note = { isGone: false, title: 'Plan', hands: {} }
    for (const [n, deed] of life.entries()) {
      const expected = inOrder(apply(note, deed, n))
      assert.deepEqual(await act(stage, deed, n), expected, JSON.stringify(deed))
      await assertSeen(stage, note)
      done++
    }
    await people.huda[0].delete(`/notes/${stage.id}`)
  })
  await fc.assert(property, { ...generated(LIVES, LIVES), endOnFailure: true })
  t.diagnostic(`${done} deeds`)
  assert.ok(done >= LIVES * SHORTEST)
})
