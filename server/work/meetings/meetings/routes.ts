import { changed, changedIf, unchanged } from '../../../platform/changes/outcome.ts'
import type { Tx } from '../../../platform/database/db.ts'
import { command, query } from '../../../platform/http/endpoint.ts'
import { daySpan, pageOf } from '../../../platform/http/page.ts'
import { IdParams, ListPart, Nothing } from '../../../platform/http/shape.ts'
import { pageLogAbout } from '../../../record/audit/queries.ts'
import { APPROVE, AUDIT, EXECUTIVE, MUTATE, REQUEST } from '../rules.ts'
import {
  addMeeting,
  countByDay,
  findConflicts,
  isSame,
  listExecutives,
  listMeetings,
  lockDayWhole,
  lockMeeting,
  placeMeetings,
  readMeeting,
  removeMeeting,
  setMeeting,
  writeMeetings,
} from './queries.ts'
import { daysAsked, entryOf, orderDay } from './rules.ts'
import {
  AuditEntries,
  AuditQuery,
  Copying,
  DayOrder,
  Days,
  DaysQuery,
  Executives,
  entityKinds,
  Meeting,
  MeetingFields,
  MeetingPatch,
  Meetings,
  MeetingsQuery,
  type MeetingView,
  PlacedMeeting,
  Standing,
} from './shapes.ts'

export const readStanding = query('GET /executive-meetings/me', {
  summary: 'What the caller may do in executive meetings',
  description: 'For pages that offer only what the caller may do.',
  allow: EXECUTIVE,
  scope: 'meetings:read',
  reply: Standing,
  run: async ({ actor }) => ({
    userId: actor.id,
    roles: [...actor.access.roles],
    canRead: true,
    canMutate: actor.mayEnter(MUTATE),
    canApprove: actor.mayEnter(APPROVE),
    canRequest: actor.mayEnter(REQUEST),
    canViewAudit: actor.mayEnter(AUDIT),
  }),
})

export const readExecutives = query('GET /executive-meetings/people', {
  summary: 'The people with access to executive meetings',
  description: 'For choosing the assignee of a task, and for showing who decides on requests. Those who decide come first.',
  allow: EXECUTIVE,
  scope: 'meetings:read',
  query: ListPart,
  reply: Executives,
  run: ({ db, query }) => listExecutives(db, query),
})

export const readDays = query('GET /executive-meetings/dates', {
  summary: 'The days that have meetings; `from` and `to` narrow them down',
  description: 'For calendars that mark the days with meetings; meetings of every status count.',
  allow: EXECUTIVE,
  scope: 'meetings:read',
  query: DaysQuery,
  reply: Days,
  run: ({ db, query }) => {
    daySpan(query)
    return countByDay(db, query, query)
  },
})

export const readMeetings = query('GET /executive-meetings', {
  summary: 'The meetings of a day, or of at most 92 days, in running order',
  description: 'Takes either `date`, or `from` and `to`.',
  allow: EXECUTIVE,
  scope: 'meetings:read',
  query: MeetingsQuery,
  reply: Meetings,
  run: ({ db, query }) => writeMeetings(db, daysAsked(query), query),
})

const placed = async (tx: Tx, meeting: MeetingView) => ({ ...meeting, conflicts: await findConflicts(tx, meeting) })

export const createMeeting = command('POST /executive-meetings', {
  summary: 'Create a meeting',
  description:
    'At least one title is needed; `endTime` is after `startTime`. Attendees with an account are notified, and `meetings_changed` is sent.',
  allow: MUTATE,
  scope: 'meetings:mutate',
  record: Meeting,
  body: MeetingFields,
  reply: PlacedMeeting,
  status: 201,
  refuses: ['unknown_ids'],
  run: async ({ tx, actor, body }) => {
    const after = await addMeeting(tx, body, actor.id)
    return changed(await placed(tx, after), { kind: 'meeting.created', targetId: after.id, facts: { before: null, after } })
  },
})

export const showMeeting = query('GET /executive-meetings/:id', {
  summary: 'One meeting',
  description: 'With its attendees, in the given order.',
  allow: EXECUTIVE,
  scope: 'meetings:read',
  record: Meeting,
  params: IdParams,
  reply: Meeting,
  refuses: ['not_found'],
  run: ({ db, params }) => readMeeting(db, params.id),
})

export const changeMeeting = command('PATCH /executive-meetings/:id', {
  summary: 'Change a meeting',
  description:
    'Omitted fields do not change. Attendees are notified, and `meetings_changed` is sent for its day and, if it moved, for its former day.',
  allow: MUTATE,
  scope: 'meetings:mutate',
  record: Meeting,
  params: IdParams,
  body: MeetingPatch,
  reply: PlacedMeeting,
  refuses: ['not_found', 'unknown_ids'],
  run: async ({ tx, ifMatch, params: { id }, body }) => {
    const before = await lockMeeting(tx, id, body.date)
    await ifMatch(() => before)
    if (isSame(before, body)) return unchanged(await placed(tx, before))
    const after = await setMeeting(tx, before, body)
    return changed(await placed(tx, after), { kind: 'meeting.updated', targetId: id, facts: { before, after } })
  },
})

export const deleteMeeting = command('DELETE /executive-meetings/:id', {
  summary: 'Delete a meeting and its requests; its tasks stay',
  description: 'Attendees are notified, and `meetings_changed` is sent.',
  allow: MUTATE,
  scope: 'meetings:mutate',
  record: Meeting,
  params: IdParams,
  reply: Nothing,
  status: 204,
  refuses: ['not_found'],
  run: async ({ tx, ifMatch, params: { id }, deletionHooks }) => {
    const before = await lockMeeting(tx, id)
    await ifMatch(() => before)
    const changes = await deletionHooks('meetings').remove(tx, id, () => removeMeeting(tx, id))
    return changed(null, { kind: 'meeting.deleted', targetId: id, facts: { before, after: null } }, ...changes)
  },
})

export const orderMeetings = command('PUT /executive-meetings/order', {
  summary: 'Set the order of a day’s meetings; omitted ones follow in their current order',
  description: '`meetings_changed` is sent for the day.',
  allow: MUTATE,
  scope: 'meetings:mutate',
  body: DayOrder,
  reply: Meetings,
  refuses: ['unknown_ids'],
  run: async ({ tx, body: { date, ids } }) => {
    const day = await lockDayWhole(tx, date)
    const present = day.map(({ id }) => id)
    const order = orderDay(present, ids)
    const moves = day.flatMap(({ id, sortOrder }) => {
      const place = order.indexOf(id) + 1
      return place === sortOrder ? [] : [{ id, from: sortOrder, to: place }]
    })
    if (moves.length === 0) return unchanged(day)
    await placeMeetings(tx, order)
    return changedIf(
      await listMeetings(tx, { from: date, to: date }),
      moves.map(({ id, from, to }) => ({
        kind: 'meeting.reordered',
        targetId: id,
        facts: { before: { date, sortOrder: from }, after: { date, sortOrder: to } },
      })),
    )
  },
})

export const duplicateMeeting = command('POST /executive-meetings/:id/duplicate', {
  summary: 'Copy a meeting to a day; the copy is `scheduled`',
  description: 'The attendees are copied, too.',
  allow: MUTATE,
  scope: 'meetings:mutate',
  params: IdParams,
  body: Copying,
  reply: PlacedMeeting,
  status: 201,
  refuses: ['not_found'],
  run: async ({ tx, actor, params: { id }, body: { date } }) => {
    const { sortOrder: _place, ...source } = await lockMeeting(tx, id, date)
    const known = source.attendees.flatMap(({ userId }) => userId ?? [])
    const after = await addMeeting(tx, { ...source, date, status: 'scheduled' }, actor.id, known)
    return changed(await placed(tx, after), { kind: 'meeting.duplicated', targetId: after.id, facts: { before: null, after } })
  },
})

export const readMeetingAudit = query('GET /executive-meetings/audit-logs', {
  summary: 'The log of executive meetings: who changed what, newest first',
  description: 'Filters are combined; days are whole days in UTC.',
  allow: AUDIT,
  scope: 'meetings:audit',
  query: AuditQuery,
  reply: AuditEntries,
  run: async ({ db, query: { entityKind, entityId, action, ...filter } }) => {
    daySpan(filter)
    const kinds = entityKind ? [entityKinds[entityKind]] : Object.values(entityKinds)
    const { rows, totalCount } = await pageLogAbout(db, kinds, {
      ...filter,
      ...(entityId !== undefined && { targetId: entityId }),
      ...(action !== undefined && { verb: action }),
    })
    return pageOf('entries', rows.map(entryOf), totalCount, filter)
  },
})
