import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { makers, silence } from '../../../test/makers.ts'
import { changedFor, mark, quiet, received, send, sentNote, thread, tracesOf, writeNote } from '../../../test/notes.ts'
import { type Client, testPortal } from '../../../test/portal.ts'

const portal = testPortal()
const { newPerson } = makers(portal)

const reply = (by: Client, id: number, content: string, recipientUserId?: unknown) =>
  by.post(`/notes/${id}/replies`, { content, recipientUserId })
const said = ({ replies }: { replies: { content: string }[] }) => replies.map(({ content }) => content)
const had = ({ recipients }: { recipients: { recipientUserId: number }[] }) => recipients.map(({ recipientUserId }) => recipientUserId)

async function setUp() {
  const [huda, omar, rana] = [await newPerson({ displayNameEn: 'Huda' }), await newPerson({ displayNameEn: 'Omar' }), await newPerson()]
  return { huda, omar, rana, id: await sentNote(huda, omar, rana) }
}

test('reading the thread marks an unread note as read, once, and sends an event to its owner and the recipient', async () => {
  const { huda, omar, id } = await setUp()
  const first = await portal.traces(async () => assert.equal((await thread(omar, id)).myStatus, 'read'))
  assert.deepEqual(first, { ...silence, events: [changedFor(id, 'status', huda, omar)] })
  const { readAt } = await received(omar, id)
  assert.ok(readAt)
  assert.deepEqual(await portal.traces(async () => assert.equal((await thread(omar, id)).myStatus, 'read')), silence)
  assert.equal((await received(omar, id)).readAt, readAt)
})

test('reading an archived note leaves it archived', async () => {
  const { omar, id } = await setUp()
  await mark(omar, id, { status: 'archived' })
  assert.deepEqual(await portal.traces(async () => assert.equal((await thread(omar, id)).myStatus, 'archived')), silence)
  assert.equal((await mark(omar, id, { status: 'read' })).status, 'unread')
})

test('the owner and administrators see the whole thread, a recipient only their own part', async () => {
  const { huda, omar, rana, id } = await setUp()
  await reply(omar, id, 'one')
  await reply(rana, id, 'two')
  await reply(huda, id, 'three', omar.id)
  const whole = await thread(huda, id)
  assert.partialDeepStrictEqual(whole, { id, senderUserId: huda.id, isOwner: true, isAdmin: false, myStatus: null, title: 'Plan' })
  assert.deepEqual([new Set(had(whole)), said(whole)], [new Set([omar.id, rana.id]), ['one', 'two', 'three']])
  const parties = whole.replies.map((one: { senderUserId: number; recipientUserId: number; sender: { id: number } }) => [
    one.senderUserId,
    one.sender.id,
    one.recipientUserId,
  ])
  assert.deepEqual(parties, [
    [omar.id, omar.id, huda.id],
    [rana.id, rana.id, huda.id],
    [huda.id, huda.id, omar.id],
  ])

  const part = await thread(omar, id)
  assert.partialDeepStrictEqual(part, {
    isOwner: false,
    isAdmin: false,
    myStatus: 'replied',
    sender: { id: huda.id, displayNameEn: 'Huda' },
  })
  assert.deepEqual([had(part), said(part)], [[omar.id], ['one', 'three']])
  assert.ok(!JSON.stringify(part).includes(rana.username))

  const overseen = await thread(portal.admin, id)
  assert.partialDeepStrictEqual(overseen, { isOwner: false, isAdmin: true, myStatus: null })
  assert.deepEqual([overseen.recipients, overseen.replies], [whole.recipients, whole.replies])
})

test('a read by an administrator who is neither owner nor recipient is audited and sends no event', async () => {
  const { huda, id } = await setUp()
  const audit = [{ action: 'note.read', type: 'note', target: id, metadata: { ownerId: huda.id } }]
  for (let n = 0; n < 2; n++) assert.deepEqual(await portal.traces(() => thread(portal.admin, id)), { ...silence, audit })

  const ruler = await newPerson({ roles: ['admin'] })
  await send(huda, id, ruler)
  const asRecipient = await portal.traces(async () =>
    assert.partialDeepStrictEqual(await thread(ruler, id), { isAdmin: false, myStatus: 'read' }),
  )
  assert.deepEqual(asRecipient, { ...silence, events: [changedFor(id, 'status', huda, ruler)] })
  const own = await writeNote(ruler)
  assert.deepEqual(
    await portal.traces(async () => assert.partialDeepStrictEqual(await thread(ruler, own), { isAdmin: false, isOwner: true })),
    silence,
  )
  const { entries } = (await portal.admin.get(`/admin/audit-logs?action=note.read&targetType=note&targetId=${id}`)).body
  assert.deepEqual(
    entries.map(({ actor }: { actor: { id: number } }) => actor.id),
    [portal.admin.id, portal.admin.id],
  )
})

test('the owner and a recipient see each change of a thread that concerns them at once', async () => {
  const { huda, omar, rana, id } = await setUp()
  const late = await newPerson()
  await thread(omar, id)
  const moves: [what: string, act: () => Promise<unknown>, seen: (whole: string, part: string) => boolean][] = [
    ['title', () => huda.patch(`/notes/${id}`, { title: 'Plan B' }), (whole, part) => /Plan B/.test(whole) && /Plan B/.test(part)],
    ['status', () => mark(omar, id, { status: 'archived' }), (whole, part) => /"archived"/.test(whole) && /"archived"/.test(part)],
    ['reply', () => reply(rana, id, 'secret'), (whole, part) => /secret/.test(whole) && !/secret/.test(part)],
    ['answer', () => reply(huda, id, 'answer', omar.id), (whole, part) => /answer/.test(whole) && /answer/.test(part)],
    [
      'owner’s name',
      () => huda.patch('/auth/me/profile', { displayNameEn: 'Hudhud' }),
      (whole, part) => /Hudhud/.test(whole) && /Hudhud/.test(part),
    ],
    ['name', () => rana.patch('/auth/me/profile', { displayNameEn: 'Ranim' }), (whole, part) => /Ranim/.test(whole) && !/Ranim/.test(part)],
    ['recipient', () => send(huda, id, late), (whole, part) => whole.includes(late.username) && !part.includes(late.username)],
    ['leaving', () => portal.admin.delete(`/users/${late.id}`), (whole) => !whole.includes(late.username)],
  ]
  for (const [what, act, seen] of moves) {
    const look = async () => [(await huda.get(`/notes/${id}/thread`)).text, (await omar.get(`/notes/${id}/thread`)).text] as const
    const before = await look()
    assert.deepEqual(await look(), before, 'the same bytes while nothing moves')
    await act()
    assert.ok(seen(...(await look())), what)
  }
})

test('a reply sets the recipient’s status to replied, even from the archive, and notifies the owner', async () => {
  const { huda, omar, rana, id } = await setUp()
  await mark(omar, id, { status: 'archived' })
  let answer!: Awaited<ReturnType<typeof reply>>
  const traces = await tracesOf(portal, async () => (answer = await reply(omar, id, ' Fine \u202e')))
  assert.equal(answer.status, 201)
  const { id: replyId, createdAt, sender, ...rest } = answer.body
  assert.deepEqual(rest, { noteId: id, senderUserId: omar.id, recipientUserId: huda.id, content: 'Fine' })
  assert.partialDeepStrictEqual(sender, { id: omar.id, displayNameEn: 'Omar' })
  assert.ok(replyId && createdAt)
  assert.deepEqual(traces, {
    ...quiet,
    notices: [{ user: huda.id, type: 'note', titleEn: 'Reply to a note' }],
    events: [changedFor(id, 'replied', huda, omar)],
  })
  assert.partialDeepStrictEqual(await received(omar, id), { status: 'replied', archivedAt: null })
  assert.ok((await received(omar, id)).readAt)
  assert.equal((await received(rana, id)).status, 'unread')
  const { bodyEn, relatedType, relatedId } = (await huda.get('/notifications?limit=1')).body[0]
  assert.deepEqual([bodyEn, relatedType, relatedId], ['Omar replied to the note “Plan”.', 'note', id])
})

test('the owner’s reply reaches one recipient, whose status stays', async () => {
  const { huda, omar, id } = await setUp()
  const traces = await tracesOf(portal, async () => assert.equal((await reply(huda, id, 'Well?', omar.id)).body.recipientUserId, omar.id))
  assert.deepEqual(traces, {
    ...quiet,
    notices: [{ user: omar.id, type: 'note', titleEn: 'Reply to a note' }],
    events: [changedFor(id, 'replied', huda, omar)],
  })
  assert.equal((await received(omar, id)).status, 'unread')
})

test('the owner must name the recipient of a reply unless there is only one', async () => {
  const { huda, omar, id } = await setUp()
  const [own, one] = [await writeNote(huda), await sentNote(huda, omar)]
  const refused = await portal.traces(async () => {
    for (const noteId of [id, own]) {
      const { body } = await reply(huda, noteId, 'x')
      assert.deepEqual([body.code, body.details[0].path], ['validation_failed', 'recipientUserId'])
    }
    for (const stranger of [huda.id, portal.admin.id, 2147483647]) {
      const { body } = await reply(huda, id, 'x', stranger)
      assert.deepEqual([body.code, body.unknownIds], ['unknown_ids', [stranger]])
    }
    for (const content of ['', ' \n', 'x'.repeat(5001)]) assert.equal((await reply(omar, id, content)).body.code, 'validation_failed')
    for (const wrong of ['1', 0, null]) assert.equal((await reply(huda, id, 'x', wrong)).body.code, 'validation_failed')
  })
  assert.deepEqual(refused, silence)
  assert.equal((await reply(huda, one, 'x')).body.recipientUserId, omar.id)
  assert.equal((await reply(omar, id, 'x'.repeat(5000), 2147483647)).body.recipientUserId, huda.id)
})

test('a reply committed after a later one appears as soon as it is committed', async () => {
  const { huda, omar, rana, id } = await setUp()
  const slow = new pg.Client(portal.connection)
  await slow.connect()
  try {
    await slow.query('begin')
    await slow.query(`insert into ledger (kind, target_type, target_id, facts) values ('test.replied', 'note', ${id}, '{}')`)
    await slow.query(`insert into note_replies (note_id, recipient_id, is_from_owner, content) values (${id}, ${omar.id}, false, 'early')`)
    await reply(huda, id, 'late', rana.id)
    assert.deepEqual(said(await thread(huda, id)), ['late'])
    await slow.query('commit')
    assert.deepEqual(said(await thread(huda, id)), ['early', 'late'])
  } finally {
    await slow.end()
  }
})
