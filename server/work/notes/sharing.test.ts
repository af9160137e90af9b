import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ascending, idsIn, makers, silence } from '../../../test/makers.ts'
import { changedFor, mark, newFolder, quiet, received, send, sentNote, thread, tracesOf, writeNote } from '../../../test/notes.ts'
import { type Client, testPortal } from '../../../test/portal.ts'

const portal = testPortal()
const { newPerson } = makers(portal)

const UNKNOWN = 2147483647
const sendTo = (by: Client, id: number, recipientUserIds: unknown) => by.post(`/notes/${id}/send`, { recipientUserIds })
const notice = ({ id }: Client, titleEn: string) => ({ user: id, type: 'note', titleEn })
const lastNotice = async (who: Client) => (await who.get('/notifications?limit=1')).body[0]

test('a note is sent to several people: each is notified once, and it is unread', async () => {
  const [huda, omar, rana] = [await newPerson(), await newPerson(), await newPerson()]
  const id = await writeNote(huda, { title: 'خطة', content: 'x', color: 'blue' })
  const traces = await tracesOf(portal, async () => {
    const { status, body } = await sendTo(huda, id, [rana.id, omar.id, rana.id])
    assert.deepEqual([status, body], [200, { success: true, sent: 2 }])
  })
  assert.deepEqual(traces, {
    ...quiet,
    notices: ascending([omar.id, rana.id]).map((user) => ({ user, type: 'note', titleEn: 'New note' })),
    events: [changedFor(id, 'received', omar, rana), changedFor(id, 'updated', huda)],
  })
  const { recipientRowId, sentAt, createdAt, updatedAt, sender, ...rest } = await received(omar, id)
  assert.deepEqual(rest, {
    id,
    title: 'خطة',
    content: 'x',
    color: 'blue',
    status: 'unread',
    readAt: null,
    archivedAt: null,
    folderId: null,
  })
  assert.partialDeepStrictEqual(sender, { id: huda.id, username: huda.username, isActive: true })
  assert.ok(recipientRowId && sentAt >= createdAt && createdAt === updatedAt)
})

test('the notification names the sender in each language, and the title or the beginning of the note', async () => {
  const huda = await newPerson({ displayNameAr: 'هدى', displayNameEn: 'Huda' })
  const omar = await newPerson()
  await send(huda, await writeNote(huda, { title: 'Plan' }), omar)
  const { titleAr, titleEn, bodyAr, bodyEn, relatedType, relatedId } = await lastNotice(omar)
  assert.deepEqual([titleAr, titleEn], ['ملاحظة جديدة', 'New note'])
  assert.deepEqual([bodyAr, bodyEn], ['وصلتك ملاحظة من هدى: «Plan».', 'Huda sent you a note: “Plan”.'])
  assert.deepEqual([relatedType, relatedId], ['note', (await received(omar, relatedId)).id])
  await send(huda, await writeNote(huda, { content: `first\n\nline ${'👍'.repeat(100)}` }), omar)
  assert.equal((await lastNotice(omar)).bodyEn, `Huda sent you a note: “first line ${'👍'.repeat(69)}”.`)
})

test('a recipient who already has the note is neither counted nor notified, and keeps its status', async () => {
  const [huda, omar, rana] = [await newPerson(), await newPerson(), await newPerson()]
  const id = await sentNote(huda, omar)
  await mark(omar, id, { status: 'archived' })
  const before = await received(omar, id)
  assert.deepEqual(await portal.traces(async () => assert.equal(await send(huda, id, omar), 0)), silence)
  const { notices } = await tracesOf(portal, async () => assert.equal(await send(huda, id, omar, rana), 1))
  assert.deepEqual(notices, [notice(rana, 'New note')])
  assert.deepEqual(await received(omar, id), before)
})

test('a note with an unknown or inactive recipient, or to its owner, is sent to nobody', async () => {
  const [huda, omar, gone] = [await newPerson(), await newPerson(), await newPerson()]
  await portal.admin.patch(`/users/${gone.id}`, { isActive: false })
  const id = await writeNote(huda)
  const traces = await portal.traces(async () => {
    const unknown = await sendTo(huda, id, [omar.id, UNKNOWN, gone.id])
    assert.deepEqual([unknown.status, unknown.body.code, unknown.body.unknownIds], [400, 'unknown_ids', [gone.id, UNKNOWN]])
    const self = await sendTo(huda, id, [omar.id, huda.id])
    assert.deepEqual([self.body.code, self.body.details[0].path], ['validation_failed', 'recipientUserIds'])
    for (const wrong of [[], 'all', [0], ['1'], [1.5], null, Array.from({ length: 201 }, (_, n) => n + 1)])
      assert.equal((await sendTo(huda, id, wrong)).body.code, 'validation_failed')
  })
  assert.deepEqual(traces, silence)
  assert.deepEqual((await huda.get('/notes/sent')).body, [])
})

test('the sent list is newest first, with each recipient’s status and the number of replies', async () => {
  const [huda, omar, rana] = [await newPerson(), await newPerson(), await newPerson()]
  const first = await sentNote(huda, omar)
  await writeNote(huda)
  const second = await sentNote(huda, rana, omar)
  await thread(rana, second)
  await omar.post(`/notes/${second}/replies`, { content: 'Fine' })
  await huda.post(`/notes/${second}/replies`, { content: 'Good', recipientUserId: omar.id })
  const { body } = await huda.get('/notes/sent')
  assert.deepEqual(idsIn({ body }), [second, first])
  assert.deepEqual([body[0].replyCount, body[1].replyCount], [2, 0])
  const shown = (recipients: { recipientUserId: number; status: string; readAt: string | null; recipient: { username: string } }[]) =>
    recipients.map(({ recipientUserId, status, readAt, recipient }) => [recipientUserId, recipient.username, status, readAt !== null])
  const of = (who: Client, status: string, isRead: boolean) => [who.id, who.username, status, isRead]
  assert.deepEqual(new Set(shown(body[0].recipients)), new Set([of(rana, 'read', true), of(omar, 'replied', true)]))
  assert.deepEqual(shown(body[1].recipients), [of(omar, 'unread', false)])
  await huda.patch(`/notes/${first}`, { isArchived: true, isPinned: true })
  assert.deepEqual([idsIn(await huda.get('/notes/sent')), idsIn(await huda.get('/notes/sent?tab=archived'))], [[second], [first]])
  assert.deepEqual((await omar.get('/notes/sent')).body, [])
})

test('recipients see the current note, last sent first, archived ones separately', async () => {
  const [huda, omar, rana] = [await newPerson(), await newPerson(), await newPerson()]
  const [old, other] = [await writeNote(huda), await sentNote(rana, omar)]
  await send(huda, old, omar)
  await huda.patch(`/notes/${old}`, { title: 'Plan B', color: 'green', isArchived: true, folderId: await newFolder(huda) })
  const { body } = await omar.get('/notes/received')
  assert.deepEqual(idsIn({ body }), [old, other])
  assert.partialDeepStrictEqual(body[0], { title: 'Plan B', color: 'green', folderId: null })
  await mark(omar, old, { status: 'archived' })
  assert.deepEqual([idsIn(await omar.get('/notes/received')), idsIn(await omar.get('/notes/received?tab=archived'))], [[other], [old]])
})

test('a changed status sends events to the recipient and the owner only; an unchanged one to nobody', async () => {
  const [huda, omar, rana] = [await newPerson(), await newPerson(), await newPerson()]
  const id = await sentNote(huda, omar, rana)
  const moved = async (status: string) => {
    const traces = await portal.traces(() => mark(omar, id, { status }))
    const { status: is, readAt, archivedAt } = await received(omar, id)
    return { traces, now: [is, readAt !== null, archivedAt !== null] }
  }
  const eventToBoth = { ...silence, events: [changedFor(id, 'status', huda, omar)] }
  for (const [asked, traces, now] of [
    ['unread', silence, ['unread', false, false]],
    ['archived', eventToBoth, ['archived', false, true]],
    ['archived', silence, ['archived', false, true]],
    ['read', eventToBoth, ['unread', false, false]],
    ['read', eventToBoth, ['read', true, false]],
    ['read', silence, ['read', true, false]],
    ['archived', eventToBoth, ['archived', true, true]],
    ['unread', eventToBoth, ['read', true, false]],
    ['unread', eventToBoth, ['unread', false, false]],
  ] as const)
    assert.deepEqual(await moved(asked), { traces, now }, asked)
  assert.equal((await received(rana, id)).status, 'unread')
})

test('a received note is filed, alone or together with its status, and only its recipient gets an event', async () => {
  const [huda, omar] = [await newPerson(), await newPerson()]
  const [id, folderId, theirs] = [await sentNote(huda, omar), await newFolder(omar), await newFolder(huda)]
  const { recipientRowId } = await received(omar, id)
  const file = (fields: object) => omar.patch(`/notes/received/${recipientRowId}`, fields)
  assert.deepEqual(await portal.traces(async () => assert.equal((await file({ folderId })).body.folderId, folderId)), {
    ...silence,
    events: [changedFor(id, 'updated', omar)],
  })
  assert.deepEqual(await portal.traces(() => file({ folderId })), silence)
  const both = await portal.traces(async () =>
    assert.partialDeepStrictEqual((await file({ folderId: null, status: 'read' })).body, { folderId: null, status: 'read' }),
  )
  assert.deepEqual(both, { ...silence, events: [changedFor(id, 'status', huda, omar), changedFor(id, 'updated', omar)] })
  const refused = await portal.traces(async () => {
    for (const unknown of [theirs, UNKNOWN]) {
      const { body } = await file({ folderId: unknown, status: 'archived' })
      assert.deepEqual([body.code, body.unknownIds], ['unknown_ids', [unknown]])
    }
    for (const wrong of [{ status: 'replied' }, { status: null }, { folderId: 'none' }, { folderId: 0 }])
      assert.equal((await file(wrong)).body.code, 'validation_failed')
    assert.equal((await file({})).status, 200)
  })
  assert.deepEqual(refused, silence)
})

test('possible recipients are active people except oneself, found in any spelling, sorted by the names that the reader sees', async () => {
  const names: [string, string][] = [
    ['زُهير القاف', 'Alpha Qaf'],
    ['أحمد القاف', 'Zulu Qaf'],
    ['سعاد القاف', 'Mike Qaf'],
  ]
  const people = await Promise.all(names.map(([displayNameAr, displayNameEn]) => newPerson({ displayNameAr, displayNameEn })))
  const [zuhair, ahmad, suad] = people as [Client, Client, Client]
  const gone = await newPerson({ displayNameEn: 'Bravo Qaf' })
  await portal.admin.patch(`/users/${gone.id}`, { isActive: false })
  const en = await newPerson({ preferredLanguage: 'en' })
  const found = async (who: Client, query: string) => idsIn(await who.get(`/notes/recipients?${query}`))
  assert.deepEqual(await found(en, 'q=QAF'), [zuhair.id, suad.id, ahmad.id])
  assert.deepEqual(await found(zuhair, `q=${encodeURIComponent('القاف')}`), [ahmad.id, suad.id])
  assert.deepEqual(await found(en, 'q=qaf&limit=2'), [zuhair.id, suad.id])
  assert.deepEqual(await found(en, `q=${encodeURIComponent('زهير')}`), [zuhair.id])
  assert.deepEqual(await found(en, 'q=%25'), [])
  for (const query of ['limit=0', 'limit=501', 'limit=x']) assert.equal((await en.get(`/notes/recipients?${query}`)).status, 400)
  const all = await found(en, 'limit=50')
  assert.ok(all.includes(portal.admin.id) && !all.includes(en.id) && !all.includes(gone.id))
  for (let n = all.length; n <= 101; n++) await newPerson()
  const whole = await found(en, '')
  assert.equal(
    new Set(whole).size,
    (await portal.admin.get('/users')).body.filter(({ isActive }: { isActive: boolean }) => isActive).length - 1,
  )
  assert.deepEqual(await found(en, 'limit=2&offset=100'), whole.slice(100, 102))
})

test('possible recipients are searched by name, never by e-mail', async () => {
  const reader = await newPerson()
  const fields = {
    username: 'basma.q',
    email: 'hidden@private.example',
    password: 'battery staple',
    displayNameAr: 'بسمة',
    displayNameEn: 'Basma Quraishi',
  }
  const { body } = await portal.admin.post('/users', fields)
  const find = async (text: string) => idsIn(await reader.get(`/notes/recipients?q=${encodeURIComponent(text)}`))
  for (const text of ['basma.q', 'بسمه', 'quraishi']) assert.deepEqual(await find(text), [body.id], text)
  for (const text of ['hidden', 'private.example', 'hidden@', 'q\u0001hidden']) assert.deepEqual(await find(text), [], text)
})
