/** Makes one record of every kind in a portal for requests to refer to. */
import assert from 'node:assert/strict'
import type { Client } from '../client.ts'
import type { TestPortal } from '../portal.ts'
import type { Caller } from './callers.ts'
import { collectionOf, type KnownValues } from './known-values.ts'

const DOT = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64')
let populated = 0

/** Uploads a picture, and leaves another upload open. */
async function upload(who: Client, known: KnownValues) {
  const slot = { name: 'dot.gif', contentType: 'image/gif', size: DOT.length }
  const { body: used } = await who.post('/storage/uploads/request-url', slot)
  const { pathname, search } = new URL(used.uploadURL)
  const { status, text } = await who.send('PUT', `${pathname.replace(/^.api/, '')}${search}`, DOT, { 'content-type': 'image/gif' })
  assert.ok(status < 300, text)
  const { body: open } = await who.post('/storage/uploads/request-url', { ...slot, size: 1 })
  for (const { objectPath } of [used, open]) for (const text of [objectPath, objectPath.split('/').at(-1)]) known.addText(text)
}

export async function populate(portal: TestPortal, { admin, person, receiver, manager }: Record<Caller, Client>, known: KnownValues) {
  const make = async (path: string, body: object, who = admin) => {
    const answer = await who.post(path, body)
    assert.ok(answer.status < 300, `${path} ${answer.text}`)
    known.addId(collectionOf(path.replaceAll(/\/\d+/g, '/:id')), answer.body.id)
    return answer.body.id as number
  }
  for (const one of [person, receiver, manager]) {
    known.addId('users', one.id)
    known.addText(one.username)
  }
  await upload(await portal.person(`uploader${populated}`), known)
  await make('/executive-meetings/pdf-archives', { date: '2030-01-01', language: 'ar' })
  const { body: archives } = await admin.get('/executive-meetings/pdf-archives')
  known.addText(archives.at(-1).objectPath.split('/').at(-1))
  for (let made = 0; made < 3; made++) {
    const n = populated++
    const { id: resident } = await portal.person(`resident${n}`)
    known.addId('users', resident)
    const roleId = await make('/roles', { name: `role${n}` })
    await make('/permissions', { name: `test.made${n}` })
    const groupId = await make('/groups', { name: `group${n}`, userIds: [resident], roleIds: [roleId] })
    const teamId = await make('/service-teams', { nameAr: `فريق${n}`, nameEn: `team${n}`, groupIds: [groupId], leadUserIds: [resident] })
    await make('/apps', { slug: `app-${n}`, nameAr: 'تطبيق', nameEn: 'App', iconName: 'box', route: '/app', color: 'red' })
    const categoryId = await make('/service-categories', { nameAr: 'تصنيف', nameEn: 'Category' })
    const serviceId = await make('/services', { nameAr: 'خدمة', nameEn: 'Service', categoryId })
    for (const who of [admin, person, receiver]) await make('/orders', { serviceId }, who)
    await admin.put(`/services/${serviceId}/handling`, { teamId })
    const options = [{ key: 'tea', en: 'Tea' }]
    await admin.put(`/services/${serviceId}/form`, { fields: [{ key: 'drink', kind: 'choice', labelEn: 'Drink', options }] })
    await admin.put(`/services/${serviceId}/notice`, { noticeEn: 'Soon', offOptions: ['drink.tea'] })
    await make('/orders', { serviceId, formVersion: 1, answers: { other: 1 } }, person)
    for (const who of [admin, person]) {
      const folderId = await make('/notes/folders', { name: `folder${n}` }, who)
      const labelId = await make('/notes/labels', { name: `label${n}` }, who)
      const noteId = await make('/notes', { title: `note${n}`, folderId, labelIds: [labelId] }, who)
      await make(`/notes/${noteId}/send`, { recipientUserIds: [resident, manager.id] }, who)
    }
    const meetingId = await make('/executive-meetings', { date: `2030-01-0${1 + made}`, titleEn: 'Meeting' })
    await make(`/executive-meetings/${meetingId}/requests`, { type: 'note', details: { text: 'Note' } }, manager)
    await make('/executive-meetings/tasks', { titleEn: 'Task', assigneeId: manager.id, meetingId })
  }
}
