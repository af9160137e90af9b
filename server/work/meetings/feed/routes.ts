import { hash } from 'node:crypto'
import { ownShare } from '../../../identity/factors/rules.ts'
import type { Rule } from '../../../platform/auth/limits.ts'
import { changed, unchanged } from '../../../platform/changes/outcome.ts'
import { refuse } from '../../../platform/errors/refusal.ts'
import { command, file, query } from '../../../platform/http/endpoint.ts'
import { Nothing } from '../../../platform/http/shape.ts'
import { EXECUTIVE } from '../rules.ts'
import { endFeed, findFeedId, findOwnFeed, insertFeed, listAttended, readFrame } from './queries.ts'
import { CalendarAddress, CalendarFeed, FeedParams } from './shapes.ts'
import { writeFeed } from './writing.ts'

export const showCalendarFeed = query('GET /auth/me/calendar', {
  summary: 'Whether the caller’s meetings can be subscribed to, and when that was last done',
  allow: 'signed-in',
  reply: CalendarFeed,
  run: async ({ db, actor }) => {
    const feed = await findOwnFeed(db, actor.id)
    return feed ? { isOn: true, ...feed } : { isOn: false, createdAt: null, lastReadAt: null }
  },
})

export const createCalendarFeed = command('POST /auth/me/calendar', {
  summary: 'Make an address from which calendars read the caller’s meetings',
  description:
    'The answer is the only one that has the address, which needs no session. A new one ends the former. It ends when the person is deactivated or deleted, when their password is reset, and when all their sessions are ended.',
  allow: 'signed-in',
  confirm: 'person',
  locks: 'caller',
  reply: CalendarAddress,
  status: 201,
  refuses: ['rate_limited'],
  limits: ({ actor }) => [ownShare('calendar', actor.id)],
  run: async ({ tx, actor: { id, username }, config: { publicUrl } }) => {
    const renewed = await endFeed(tx, id)
    const url = `${publicUrl}/api/calendar/${await insertFeed(tx, id)}.ics`
    const address = { url, webcalUrl: url.replace(/^https?:/, 'webcal:') }
    return changed(address, { kind: 'calendar_feed.created', targetId: id, facts: { username, renewed } })
  },
})

export const deleteCalendarFeed = command('DELETE /auth/me/calendar', {
  summary: 'End the address from which calendars read the caller’s meetings',
  description: 'Without one, nothing changes.',
  allow: 'signed-in',
  locks: 'caller',
  reply: Nothing,
  status: 204,
  run: async ({ tx, actor: { id, username } }) => {
    if (!(await endFeed(tx, id))) return unchanged(null)
    return changed(null, { kind: 'calendar_feed.deleted', targetId: id, facts: { username } })
  },
})

const readings: Rule = { name: 'calendar_readings', tries: 60, withinMs: 60 * 60_000 }

const tokenIn = (name: string) => (name.endsWith('.ics') ? name.slice(0, -4) : '')

export const readCalendarFeed = file('GET /calendar/:file', {
  summary: 'The meetings that a person attends, as a calendar file',
  description:
    'From 31 days ago to 366 days ahead: what the notifications about them say. The secret address is all it takes; an unknown one is 404. Conditional requests are supported, and also count as readings.',
  allow: 'anyone',
  params: FeedParams,
  contentType: 'text/calendar; charset=utf-8',
  refuses: ['not_found', 'rate_limited', 'range_not_satisfiable'],
  limits: async ({ db, params: { file } }) => {
    const id = (await findFeedId(db, tokenIn(file))) ?? refuse('not_found')
    return [{ rule: readings, key: String(id) }]
  },
  run: async ({ db, config, callerOfFeed, params: { file } }) => {
    const { actor, session } = (await callerOfFeed(tokenIn(file))) ?? refuse('not_found')
    if (session.owes) refuse('not_found')
    const [frame, meetings] = [await readFrame(db), await listAttended(db, actor.id)]
    const pages = actor.mayEnter(EXECUTIVE) ? config.publicUrl : null
    const bytes = Buffer.from(await writeFeed({ ...frame, meetings, language: actor.language, pages }))
    const described = { name: 'meetings.ics', contentType: 'text/calendar; charset=utf-8', isGuarded: true }
    return { ...described, bytes, size: bytes.length, etag: hash('sha256', bytes, 'base64url') }
  },
})
