import type { Actor } from '../../platform/auth/actor.ts'
import { changed, changedIf } from '../../platform/changes/outcome.ts'
import { refuseField } from '../../platform/errors/refusal.ts'
import { command, file, query } from '../../platform/http/endpoint.ts'
import { momentAhead } from '../../platform/http/moments.ts'
import { IdParams } from '../../platform/http/shape.ts'
import { addSlot } from '../storage/queries.ts'
import { UploadRequest } from '../storage/shapes.ts'
import { addText, checkContent, checkWritable, readProgress } from './conversation.ts'
import {
  FileParams,
  NewMessage,
  NewWait,
  OrderFilePlace,
  OrderMessage,
  Timeline,
  TimelineQuery,
  UnknownFiles,
} from './conversation-shapes.ts'
import { decidingOn } from './deciders.ts'
import { readOneDetails } from './details.ts'
import { findFile } from './files.ts'
import { lockOrder, readOrder } from './queries.ts'
import { askerOf } from './rules.ts'
import { OrderDetails } from './shapes.ts'
import { checkInWork, checkStanding, standingOf } from './standing.ts'
import { pageTimeline } from './timeline.ts'
import { endOver, letWait, resume, resumed } from './waiting.ts'

const MOST_WAITING_DAYS = 92

export const writeMessage = command('POST /orders/:id/messages', {
  summary: 'Write a message about an order',
  description:
    'For everyone who reads the order; of those who decide on it, for the approvers of the step that is open. Its requester, the person for whom it is and its assignee are notified, each once until they have read it; `order_details_changed` is sent. A message of the requester ends the time for which the order waits for them. An order takes 200 messages, until 14 days after it has ended, and 40 files.',
  allow: 'signed-in',
  scope: 'orders:write',
  params: IdParams,
  body: NewMessage,
  reply: OrderMessage,
  status: 201,
  refuses: ['not_found', 'forbidden', 'too_late', 'quota_exceeded', 'too_many_items', { code: 'unknown_ids', body: UnknownFiles }],
  run: async ({ tx, actor, params: { id }, body: { text = '', fileIds = [] } }) => {
    const order = await lockOrder(tx, id)
    const { isParty } = checkStanding(order, askerOf(actor), 'message', await decidingOn(tx, order, actor.id))
    checkContent(text, fileIds)
    const progress = await readProgress(tx, id)
    checkWritable('message', progress)
    const { message, change } = await addText(tx, { place: 'message', order, authorId: actor.id, text, fileIds })
    if (!isParty || !progress.waitsForRequester) return changed(message, change)
    const over = await endOver(tx, [id])
    return changedIf(message, [...over, change, ...((await resume(tx, id)) ? [resumed(id, 'message')] : [])])
  },
})

export const writeInternalNote = command('POST /orders/:id/internal-notes', {
  summary: 'Write a note to the team about an order',
  description:
    'Receivers of the order, leads of its team and administrators write and read internal notes; its beneficiary never does. The assignee is notified, once until they have read it; `order_details_changed` is sent. An order takes 200 notes, until 14 days after it has ended, and 40 files.',
  allow: 'signed-in',
  scope: 'orders:receive',
  params: IdParams,
  body: NewMessage,
  reply: OrderMessage,
  status: 201,
  refuses: ['not_found', 'forbidden', 'too_late', 'quota_exceeded', 'too_many_items', { code: 'unknown_ids', body: UnknownFiles }],
  run: async ({ tx, actor, params: { id }, body: { text = '', fileIds = [] } }) => {
    const order = await lockOrder(tx, id)
    checkStanding(order, askerOf(actor), 'note', await decidingOn(tx, order, actor.id))
    checkContent(text, fileIds)
    checkWritable('note', await readProgress(tx, id))
    const { message, change } = await addText(tx, { place: 'note', order, authorId: actor.id, text, fileIds })
    return changed(message, change)
  },
})

export const readTimeline = query('GET /orders/:id/timeline', {
  summary: 'What happened to an order and what was written about it, newest first',
  description:
    'For everyone who reads the order; notes to the team are there for those who may read them. `before` is the id of an entry: only older ones.',
  allow: 'signed-in',
  scope: 'orders:read',
  params: IdParams,
  query: TimelineQuery,
  reply: Timeline,
  refuses: ['not_found'],
  run: async ({ db, actor, params: { id }, query }) => pageTimeline(db, id, await readStanding(db, id, actor), query),
})

const readStanding = async (db: Parameters<typeof readOrder>[0], id: number, actor: Actor) => {
  const order = await readOrder(db, id, actor)
  return standingOf(order, askerOf(actor), await decidingOn(db, order, actor.id))
}

export const requestOrderFile = command('POST /order-files/request-url', {
  summary: 'Get an address to upload one private file to, for an answer, a message or a note',
  description:
    'The address takes one PUT of exactly `size` bytes of `contentType`, within 15 minutes; its limits are those of other uploads. The file is used once, by the person who uploaded it, and goes with the order; one that nothing uses goes after 24 hours.',
  allow: 'signed-in',
  body: UploadRequest,
  reply: OrderFilePlace,
  refuses: ['quota_exceeded'],
  run: async ({ tx, actor, body, config }) => {
    const { name, size, contentType } = body
    if (size > config.uploadMaxBytes) refuseField('size', 'maximum', { limit: config.uploadMaxBytes })
    const { id, uuid, token } = await addSlot(tx, actor.id, { name, size, contentType, isPrivate: true })
    const place = { uploadURL: `${config.publicUrl}/api/storage/uploads/${uuid}?token=${token}`, fileId: uuid }
    return changed(place, { kind: 'object.requested', targetId: id, facts: { uuid, size, contentType } })
  },
})

export const readOrderFile = file('GET /orders/:id/files/:fileId', {
  summary: 'A file of an order; raster images inline, everything else as an attachment',
  description:
    'For those who may read its answer, message or note at that moment; not found for anyone else. Nothing keeps it. No script in it can run: its content security policy is a sandbox.',
  allow: 'signed-in',
  params: FileParams,
  refuses: ['not_found', 'range_not_satisfiable'],
  run: async ({ db, actor, params: { id, fileId } }) =>
    findFile(db, { orderId: id, fileId, readerId: actor.id, standing: await readStanding(db, id, actor) }),
})

export const waitWithOrder = command('POST /orders/:id/wait', {
  summary: 'Let an order wait for its requester, or for somebody else; its clock stops',
  description:
    'For its assignee, while it is `received` or `preparing`. The text is also a message to the requester. It ends at `until`, with a message of the requester where it waits for them, when the order moves, and by `resume`. Waiting again replaces the text and `until`. `order_details_changed` is sent.',
  allow: 'signed-in',
  scope: 'orders:receive',
  params: IdParams,
  body: NewWait,
  record: OrderDetails,
  reply: OrderDetails,
  refuses: ['not_found', 'forbidden', 'awaiting_approval', 'invalid_transition', 'quota_exceeded'],
  run: async ({ tx, actor, params: { id }, body: { for: awaited, text, until: end = null } }) => {
    const order = await lockOrder(tx, id)
    checkStanding(order, askerOf(actor), 'wait', await decidingOn(tx, order, actor.id))
    checkInWork(order)
    const until = await momentAhead(tx, end, { path: 'until', days: MOST_WAITING_DAYS })
    const over = await endOver(tx, [id])
    await letWait(tx, id, { for: awaited, text, until })
    const { change } = await addText(tx, { place: 'message', order, authorId: actor.id, text, isUncounted: true })
    const waited = { kind: 'order.waited', targetId: id, facts: { for: awaited, until: until?.toISOString() ?? null } } as const
    return changedIf(await readOneDetails(tx, id, actor), [...over, waited, change])
  },
})

export const resumeOrder = command('POST /orders/:id/resume', {
  summary: 'Let the clock of an order that waits go on',
  description:
    'For its assignee, the leads of its team and administrators. One that does not wait stays as it is. `order_details_changed` is sent.',
  allow: 'signed-in',
  scope: 'orders:receive',
  params: IdParams,
  record: OrderDetails,
  reply: OrderDetails,
  refuses: ['not_found', 'forbidden', 'awaiting_approval'],
  run: async ({ tx, actor, params: { id } }) => {
    const order = await lockOrder(tx, id)
    checkStanding(order, askerOf(actor), 'resume', await decidingOn(tx, order, actor.id))
    const over = await endOver(tx, [id])
    const changes = [...over, ...((await resume(tx, id)) ? [resumed(id, 'command')] : [])]
    return changedIf(await readOneDetails(tx, id, actor), changes)
  },
})
