/** What must not compile: each line below a mark is a mistake that the types refuse. Checked by `tsc`, never run. */
import { type Static, Type } from 'typebox'
import type { Params } from '../server/notes/rules.ts'
import type { ServiceOrder } from '../server/orders/shapes.ts'
import { type Event, given, kind } from '../server/platform/changes/change-kind.ts'
import { type Change, changed, unchanged } from '../server/platform/changes/outcome.ts'
import type { Reads, Tx } from '../server/platform/database/db.ts'
import { command, query } from '../server/platform/http/endpoint.ts'
import { IdParams, Nothing, Shape, Success } from '../server/platform/http/shape.ts'
import { refuse } from '../server/platform/refusal.ts'
import { addRole } from '../server/users/queries.ts'

const base = { summary: '', params: IdParams, reply: Nothing }
const roleAdded = { kind: 'user.role_added', targetId: 1, facts: { roleId: 1, roleName: 'user' } } as const

// What is right compiles.
command('POST /right', { ...base, allow: 'admin', run: async () => changed(null, roleAdded) })
command('POST /right', { ...base, allow: 'admin', run: async () => unchanged(null) })

command('POST /forgets', {
  ...base,
  allow: 'admin',
  // @ts-expect-error a command says what it changed, or that it changed nothing
  run: async ({ tx, params }) => {
    await addRole(tx, params.id, 1)
    return null
  },
})

// @ts-expect-error an endpoint says who may call it
command('POST /open', { ...base, run: async () => changed(null, roleAdded) })

// @ts-expect-error so does a query
query('GET /open', { summary: '', reply: Nothing, run: async () => null })

// @ts-expect-error nobody is not somebody
query('GET /word', { summary: '', allow: 'nobody', reply: Nothing, run: async () => null })

// @ts-expect-error what has been changed is named
changed(null)

// @ts-expect-error a change has its facts
changed(null, { kind: 'user.role_added', targetId: 1 })

// @ts-expect-error all of them
changed(null, { kind: 'user.role_added', targetId: 1, facts: { roleId: 1 } })

// @ts-expect-error of their own type
changed(null, { kind: 'user.role_added', targetId: 1, facts: { roleId: '1', roleName: 'user' } })

// @ts-expect-error and somebody or something it is about
changed(null, { kind: 'user.role_added', facts: { roleId: 1, roleName: 'user' } })

// @ts-expect-error a change is of a kind that is listed
changed(null, { kind: 'user.promoted', targetId: 1, facts: {} })

// What only the moment of a change knows: which kinds need which part of it. A kind that is added here is added below.
type Needing<Part extends 'recipients' | 'payload'> = Extract<Change, Record<Part, unknown>>['kind']
export const needRecipients: Record<Needing<'recipients'>, true> = {
  'app.updated': true,
  'app.deleted': true,
  'app.permission_added': true,
  'app.permission_removed': true,
}
export const needPayload: Record<Needing<'payload'>, true> = {
  'order.moved': true,
  'note.sent': true,
  'note.replied': true,
  'meeting_task.created': true,
  'meeting_task.updated': true,
  'meeting_task.deleted': true,
}

declare const factsOf: { [Kind in Change['kind']]: Extract<Change, { kind: Kind }>['facts'] }
declare const order: Static<typeof ServiceOrder>
declare const named: Params
const of = <Kind extends Change['kind']>(kind: Kind) => ({ kind, targetId: 1, facts: factsOf[kind] })

// With it, they compile.
changed(null, { ...of('app.updated'), recipients: [1] }, { ...of('app.deleted'), recipients: 'everyone' })
changed(null, { ...of('order.moved'), payload: order }, { ...of('note.sent'), payload: named })
changed(null, { ...of('meeting_task.updated'), payload: { dates: [] } })

// @ts-expect-error who saw the app before it changed
changed(null, of('app.updated'))
// @ts-expect-error before it went
changed(null, of('app.deleted'))
// @ts-expect-error before fewer people saw it
changed(null, of('app.permission_added'))
// @ts-expect-error before more did
changed(null, of('app.permission_removed'))
// @ts-expect-error the order as its requester sees it
changed(null, of('order.moved'))
// @ts-expect-error what the notice of a note names
changed(null, of('note.sent'))
// @ts-expect-error and that of a reply
changed(null, of('note.replied'))
// @ts-expect-error the days of a task's meeting
changed(null, of('meeting_task.created'))
// @ts-expect-error of the one it had, too
changed(null, of('meeting_task.updated'))
// @ts-expect-error even when the task is gone
changed(null, of('meeting_task.deleted'))
// @ts-expect-error among other changes as well
changed(null, roleAdded, of('note.sent'))

// @ts-expect-error undefined is not a part
changed(null, { ...of('app.updated'), recipients: undefined })
// @ts-expect-error names are not ids
changed(null, { ...of('app.updated'), recipients: ['huda'] })
// @ts-expect-error a part of an order is not the order
changed(null, { ...of('order.moved'), payload: { id: 1 } })
// @ts-expect-error an order is not what a note's text names
changed(null, { ...of('note.sent'), payload: order })

// @ts-expect-error a kind that finds its audience is given none
changed(null, { ...roleAdded, recipients: [1] })
// @ts-expect-error not even an empty one
changed(null, { ...of('order.deleted'), recipients: [] })
// @ts-expect-error one that shows its facts is given nothing else
changed(null, { ...of('meeting.updated'), payload: {} })
// @ts-expect-error one that needs a payload is given no audience
changed(null, { ...of('order.moved'), payload: order, recipients: [1] })
// @ts-expect-error nor the other way round
changed(null, { ...of('app.updated'), recipients: [1], payload: {} })
const superfluous = { ...roleAdded, recipients: [1] }
// @ts-expect-error however it is handed over
changed(null, superfluous)

// @ts-expect-error an outcome is made by changed() and unchanged() alone
command('POST /forged', { ...base, allow: 'admin', run: async () => ({ reply: null, changes: [] as Change[] }) })

/** Without one of its fields. */
const without = <T extends object, K extends keyof T>(definition: T, field: K): Omit<T, K> => ({ ...definition, [field]: undefined })
const quiet = {
  targetType: 'user',
  facts: Type.Object({}),
  audits: 'nothing',
  histories: 'nothing',
  tells: 'nobody',
  emits: 'nothing',
} as const
kind(quiet)

// @ts-expect-error a kind of change decides what it audits
kind({ ...quiet, audits: undefined })
// @ts-expect-error even when it would be nothing
kind(without(quiet, 'audits'))

// @ts-expect-error and what histories it writes
kind(without(quiet, 'histories'))

// @ts-expect-error and whom it tells
kind(without(quiet, 'tells'))

// @ts-expect-error and what it emits
kind(without(quiet, 'emits'))

// @ts-expect-error a kind of change is about something the house knows
kind({ ...quiet, targetType: 'weather' })

const needy = { ...quiet, needs: { recipients: given<number[]>() } }
const appsChanged = (to: number[]): Event[] => [{ event: 'apps_changed', data: {}, to }]
kind({ ...needy, emits: (_tx, { recipients }) => appsChanged(recipients) })

// @ts-expect-error a kind uses no recipients that it does not need
kind({ ...quiet, emits: (_tx, { recipients }) => appsChanged(recipients) })
// @ts-expect-error nor a payload
kind({ ...needy, emits: (_tx, { payload }) => appsChanged(payload) })
// @ts-expect-error it uses them as what they are
kind({ ...needy, emits: (_tx, { recipients }) => appsChanged(recipients.join()) })
// @ts-expect-error it needs recipients, a payload, or neither
kind({ ...quiet, needs: { weather: given<string>() } })
// @ts-expect-error each by its type
kind({ ...quiet, needs: { recipients: [1] } })

// @ts-expect-error an event is one that is listed
kind({ ...quiet, emits: () => [{ event: 'sun_risen', data: {}, to: [1] }] })
// @ts-expect-error with the data of its schema
kind({ ...quiet, emits: () => [{ event: 'order_deleted', data: {}, to: [1] }] })
// @ts-expect-error of their own type
kind({ ...quiet, emits: () => [{ event: 'order_deleted', data: { orderId: '1' }, to: [1] }] })
// @ts-expect-error an order whole, as its recipient sees it
kind({ ...quiet, emits: () => [{ event: 'order_updated', data: { order: { id: 1 } }, to: [1] }] })
// @ts-expect-error and for somebody
kind({ ...quiet, emits: () => [{ event: 'order_deleted', data: { orderId: 1 } }] })

// @ts-expect-error a history is of a set that is kept
kind({ ...quiet, histories: () => [{ kind: 'user.shoes', target: 1, added: [], removed: [] }] })

const hello = { recipients: [1], type: 'system', template: 'reset_asked', relatedType: null, relatedId: null } as const
kind({ ...quiet, tells: () => [{ ...hello, recipients: [1] }] })
// @ts-expect-error a notice is for people, not for everyone
kind({ ...quiet, tells: () => [{ ...hello, recipients: 'everyone' }] })
// @ts-expect-error of a type that can be muted
kind({ ...quiet, tells: () => [{ ...hello, recipients: [1], type: 'weather' }] })
// @ts-expect-error and its text is listed
kind({ ...quiet, tells: () => [{ ...hello, recipients: [1], template: 'sun_risen' }] })

// @ts-expect-error both languages are spoken
kind({ ...quiet, tells: () => [{ recipients: [1], type: 'system', template: { titleEn: 'Hello' }, relatedType: null, relatedId: null }] })

// @ts-expect-error the pool is not a transaction
export const writesOnThePool = (db: Reads) => addRole(db, 1, 1)
export const writesInTransaction = (tx: Tx) => addRole(tx, 1, 1)

// @ts-expect-error a query is given no transaction
query('GET /writes', { summary: '', allow: 'admin', reply: Nothing, run: async ({ tx }) => tx && null })

// @ts-expect-error where anyone may call, there may be no actor
query('GET /anyone', { summary: '', allow: 'anyone', reply: Shape({ id: Type.Integer() }), run: async ({ actor }) => ({ id: actor.id }) })
query('GET /someone', {
  summary: '',
  allow: 'signed-in',
  reply: Shape({ id: Type.Integer() }),
  run: async ({ actor }) => ({ id: actor.id }),
})

// @ts-expect-error a reply has the fields of its shape
query('GET /reply', { summary: '', allow: 'admin', reply: Success, run: async () => ({}) })

// @ts-expect-error a parameter that is not declared is not there
command('POST /params', { ...base, allow: 'admin', run: async ({ params }) => unchanged(params.userId && null) })

// @ts-expect-error a query changes nothing: it is no command
query('DELETE /users/:id', { summary: '', allow: 'admin', reply: Nothing, run: async () => null })

// @ts-expect-error a refusal has a code that is listed
refuse('not_today')

// @ts-expect-error also where it is announced
query('GET /refuses', { summary: '', allow: 'admin', reply: Nothing, refuses: ['not_today'], run: async () => null })

// @ts-expect-error only administrators change who may do what
command('POST /access', { ...base, allow: 'signed-in', changesAccess: true, run: async () => unchanged(null) })
