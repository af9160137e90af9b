/** Writes, sends and answers notes over HTTP. */

import { ascending } from './makers.ts'
import type { Answer, Client, TestPortal } from './portal.ts'

function must(answer: Answer, status: number) {
  if (answer.status !== status) throw new Error(`${answer.status} ${answer.text}`)
  return answer.body
}

export const writeNote = async (by: Client, fields: object = { title: 'Plan', content: 'First draft' }) =>
  must(await by.post('/notes', fields), 201).id as number
export const newFolder = async (by: Client, name = 'Work') => must(await by.post('/notes/folders', { name }), 201).id as number
export const newLabel = async (by: Client, name = 'urgent') => must(await by.post('/notes/labels', { name }), 201).id as number
export const send = async (by: Client, noteId: number, ...to: { id: number }[]) =>
  must(await by.post(`/notes/${noteId}/send`, { recipientUserIds: to.map(({ id }) => id) }), 200).sent as number
export const sentNote = async (by: Client, ...to: { id: number }[]) => {
  const id = await writeNote(by)
  await send(by, id, ...to)
  return id
}
export const thread = async (reader: Client, noteId: number) => must(await reader.get(`/notes/${noteId}/thread`), 200)
/** A person's received note, in any tab. */
export async function received(by: Client, noteId: number) {
  const tabs = await Promise.all(['active', 'archived'].map(async (tab) => must(await by.get(`/notes/received?tab=${tab}`), 200)))
  return tabs.flat().find(({ id }: { id: number }) => id === noteId)
}
export const mark = async (by: Client, noteId: number, fields: object) =>
  must(await by.patch(`/notes/received/${(await received(by, noteId)).recipientRowId}`, fields), 200)

export const changedFor = (noteId: number, change: string, ...people: { id: number }[]) => ({
  event: 'note_changed',
  data: { noteId, change },
  to: ascending(people.map(({ id }) => id)),
})

/** The traces of `act`, without the events about notifications. */
export async function tracesOf(portal: TestPortal, act: () => Promise<unknown>) {
  const { events, ...rest } = await portal.traces(act)
  return { ...rest, events: events.filter(({ event }) => event !== 'notification_created' && event !== 'notifications_read') }
}
export const quiet = { audit: [], histories: [], notices: [] }
