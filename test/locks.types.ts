/** Mistakes that must not compile, each below a `@ts-expect-error`. Checked by `tsc`, never run. */
import { type Static, Type } from 'typebox'
import { take } from '../server/access/grants/queries.ts'
import { type Event, given, kind } from '../server/platform/changes/change-kind.ts'
import { type Change, changed, unchanged } from '../server/platform/changes/outcome.ts'
import type { Reads, Tx } from '../server/platform/database/db.ts'
import { refuse } from '../server/platform/errors/refusal.ts'
import { command, query } from '../server/platform/http/endpoint.ts'
import { IdParams, Nothing, Shape, Success } from '../server/platform/http/shape.ts'
import type { Params } from '../server/work/notes/rules.ts'
import type { ServiceOrder } from '../server/work/orders/shapes.ts'

const base = { summary: '', params: IdParams, reply: Nothing }
const roleAdded = { kind: 'user.role_added', targetId: 1, facts: { roleId: 1, roleName: 'user' } } as const

// Correct commands compile.
command('POST /right', { ...base, allow: 'admin', run: async () => changed(null, roleAdded) })
command('POST /right', { ...base, allow: 'admin', run: async () => unchanged(null) })

command('POST /forgets', {
  ...base,
  allow: 'admin',
  // @ts-expect-error a command must return what it changed, or that it changed nothing
  run: async ({ tx, params }) => {
    await take(tx, 'role', { userIds: [params.id], ids: [1] })
    return null
  },
})

// @ts-expect-error a command must say who may call it
command('POST /open', { ...base, run: async () => changed(null, roleAdded) })

// @ts-expect-error a query must say who may call it
query('GET /open', { summary: '', reply: Nothing, run: async () => null })

// @ts-expect-error `nobody` is not a kind of caller
query('GET /word', { summary: '', allow: 'nobody', reply: Nothing, run: async () => null })

// @ts-expect-error changed() needs at least one change
changed(null)

// @ts-expect-error a change needs its facts
changed(null, { kind: 'user.role_added', targetId: 1 })

// @ts-expect-error a change needs all of its facts
changed(null, { kind: 'user.role_added', targetId: 1, facts: { roleId: 1 } })

// @ts-expect-error facts must have their own types
changed(null, { kind: 'user.role_added', targetId: 1, facts: { roleId: '1', roleName: 'user' } })

// @ts-expect-error a change needs the id of what it is about
changed(null, { kind: 'user.role_added', facts: { roleId: 1, roleName: 'user' } })

// @ts-expect-error the kind of a change must be listed
changed(null, { kind: 'user.promoted', targetId: 1, facts: {} })

declare const factsOf: { [Kind in Change['kind']]: Extract<Change, { kind: Kind }>['facts'] }
declare const order: Static<typeof ServiceOrder> & { team: null }
declare const named: Params
const of = <Kind extends Change['kind']>(kind: Kind) => ({ kind, targetId: 1, facts: factsOf[kind] })

// Changes with all required fields compile.
changed(null, { ...of('app.updated'), recipients: [1] }, { ...of('app.deleted'), recipients: 'everyone' })
changed(
  null,
  { ...of('order.moved'), payload: order },
  { ...of('order.placed'), recipients: [], payload: order },
  { ...of('note.sent'), payload: named },
)
changed(null, { ...of('meeting_task.updated'), payload: { dates: [] } })

// @ts-expect-error the change needs the people who saw the app before it changed
changed(null, of('app.updated'))
// @ts-expect-error the change needs the people who saw the app before it was deleted
changed(null, of('app.deleted'))
// @ts-expect-error the change needs the people who saw the app before it was restricted
changed(null, of('app.permission_added'))
// @ts-expect-error the change needs the people who saw the app before the restriction was removed
changed(null, of('app.permission_removed'))
// @ts-expect-error the change needs the order as its requester sees it
changed(null, of('order.moved'))
// @ts-expect-error a sent note needs the params of its notice
changed(null, of('note.sent'))
// @ts-expect-error a reply needs the params of its notice
changed(null, of('note.replied'))
// @ts-expect-error the change needs the day of the task's meeting
changed(null, of('meeting_task.created'))
// @ts-expect-error the change needs the days of the task's meetings before and after it
changed(null, of('meeting_task.updated'))
// @ts-expect-error the change needs the day of the meeting that the task had
changed(null, of('meeting_task.deleted'))
// @ts-expect-error a change needs its params beside other changes as well
changed(null, roleAdded, of('note.sent'))

// @ts-expect-error recipients must not be undefined
changed(null, { ...of('app.updated'), recipients: undefined })
// @ts-expect-error recipients are ids
changed(null, { ...of('app.updated'), recipients: ['huda'] })
// @ts-expect-error the payload must be the whole order
changed(null, { ...of('order.moved'), payload: { id: 1 } })
// @ts-expect-error the payload must be that of this kind
changed(null, { ...of('note.sent'), payload: order })

// @ts-expect-error a kind that finds its recipients itself takes none
changed(null, { ...roleAdded, recipients: [1] })
// @ts-expect-error a kind that finds its recipients itself does not take an empty list either
changed(null, { ...roleAdded, recipients: [] })
// @ts-expect-error a kind without needs takes no payload
changed(null, { ...of('meeting.updated'), payload: {} })
// @ts-expect-error a kind that needs a payload takes no recipients
changed(null, { ...of('order.moved'), payload: order, recipients: [1] })
// @ts-expect-error a kind that needs recipients takes no payload
changed(null, { ...of('app.updated'), recipients: [1], payload: {} })
const superfluous = { ...roleAdded, recipients: [1] }
// @ts-expect-error superfluous recipients in a variable are found, too
changed(null, superfluous)

// @ts-expect-error only changed() and unchanged() make an outcome
command('POST /forged', { ...base, allow: 'admin', run: async () => ({ reply: null, changes: [] as Change[] }) })

/** A copy of a definition without one of its fields. */
const without = <T extends object, K extends keyof T>(definition: T, field: K): Omit<T, K> => ({ ...definition, [field]: undefined })
const quiet = {
  targetType: 'user',
  facts: Type.Object({}),
  audits: 'nothing',
  emits: 'nothing',
} as const
kind(quiet)

// @ts-expect-error a kind must say what it audits
kind({ ...quiet, audits: undefined })
// @ts-expect-error a kind that audits nothing must say so
kind(without(quiet, 'audits'))

// @ts-expect-error a kind must say what it emits
kind(without(quiet, 'emits'))

// @ts-expect-error the target type must be listed
kind({ ...quiet, targetType: 'weather' })

const needy = { ...quiet, needs: { recipients: given<number[]>() } }
const appsChanged = (to: number[]): Event[] => [{ event: 'apps_changed', data: {}, to }]
kind({ ...needy, emits: (_tx, { recipients }) => appsChanged(recipients) })

// @ts-expect-error a kind cannot use recipients that it does not need
kind({ ...quiet, emits: (_tx, { recipients }) => appsChanged(recipients) })
// @ts-expect-error a kind cannot use a payload that it does not need
kind({ ...needy, emits: (_tx, { payload }) => appsChanged(payload) })
// @ts-expect-error a kind must use its recipients by their type
kind({ ...needy, emits: (_tx, { recipients }) => appsChanged(recipients.join()) })
// @ts-expect-error a kind can need only recipients or a payload
kind({ ...quiet, needs: { weather: given<string>() } })
// @ts-expect-error a need is declared by its type
kind({ ...quiet, needs: { recipients: [1] } })

// @ts-expect-error an event must be listed
kind({ ...quiet, emits: () => [{ event: 'sun_risen', data: {}, to: [1] }] })
// @ts-expect-error an event needs the data of its schema
kind({ ...quiet, emits: () => [{ event: 'order_deleted', data: {}, to: [1] }] })
// @ts-expect-error the data of an event must have the types of its schema
kind({ ...quiet, emits: () => [{ event: 'order_deleted', data: { orderId: '1' }, to: [1] }] })
// @ts-expect-error the data of an event must be complete
kind({ ...quiet, emits: () => [{ event: 'order_updated', data: { order: { id: 1 } }, to: [1] }] })
// @ts-expect-error an event needs recipients
kind({ ...quiet, emits: () => [{ event: 'order_deleted', data: { orderId: 1 } }] })

// @ts-expect-error a history must be of a listed set
kind({ ...quiet, histories: () => [{ kind: 'user.shoes', target: 1, added: [], removed: [] }] })

const params = { ar: { person: 'هدى' }, en: { person: 'Huda' } }
const hello = { recipients: [1], type: 'system', template: 'reset_asked', params, relatedType: null, relatedId: null } as const
kind({ ...quiet, notifies: () => [{ ...hello, recipients: [1] }] })
// @ts-expect-error a notice cannot be for everyone
kind({ ...quiet, notifies: () => [{ ...hello, recipients: 'everyone' }] })
// @ts-expect-error a notice must have a listed type
kind({ ...quiet, notifies: () => [{ ...hello, recipients: [1], type: 'weather' }] })
// @ts-expect-error a notice must have a listed template
kind({ ...quiet, notifies: () => [{ ...hello, recipients: [1], template: 'sun_risen' }] })

// @ts-expect-error a template is given by its name
kind({ ...quiet, notifies: () => [{ ...hello, recipients: [1], template: { titleEn: 'Hello' } }] })
// @ts-expect-error a notice needs the params of its template
kind({ ...quiet, notifies: () => [{ ...hello, recipients: [1], params: { ar: {}, en: {} } }] })
// @ts-expect-error a notice needs its params in both languages
kind({ ...quiet, notifies: () => [{ ...hello, recipients: [1], params: { en: params.en } }] })
// @ts-expect-error a notice needs the params of its own template
kind({ ...quiet, notifies: () => [{ ...hello, recipients: [1], template: 'order_placed' }] })

// @ts-expect-error a pool is not a transaction
export const writesOnThePool = (db: Reads) => take(db, 'role', { userIds: [1], ids: [1] })
export const writesInTransaction = (tx: Tx) => take(tx, 'role', { userIds: [1], ids: [1] })

// @ts-expect-error a query gets no transaction
query('GET /writes', { summary: '', allow: 'admin', reply: Nothing, run: async ({ tx }) => tx && null })

// @ts-expect-error where anyone may call, there is no actor
query('GET /anyone', { summary: '', allow: 'anyone', reply: Shape({ id: Type.Integer() }), run: async ({ actor }) => ({ id: actor.id }) })
query('GET /someone', {
  summary: '',
  allow: 'signed-in',
  reply: Shape({ id: Type.Integer() }),
  run: async ({ actor }) => ({ id: actor.id }),
})

// @ts-expect-error a reply needs the fields of its shape
query('GET /reply', { summary: '', allow: 'admin', reply: Success, run: async () => ({}) })

// @ts-expect-error an undeclared parameter does not exist
command('POST /params', { ...base, allow: 'admin', run: async ({ params }) => unchanged(params.userId && null) })

// @ts-expect-error a query cannot be a DELETE
query('DELETE /users/:id', { summary: '', allow: 'admin', reply: Nothing, run: async () => null })

// @ts-expect-error the code of a refusal must be listed
refuse('not_today')

// @ts-expect-error a declared refusal must be listed, too
query('GET /refuses', { summary: '', allow: 'admin', reply: Nothing, refuses: ['not_today'], run: async () => null })

// @ts-expect-error only administrators may change access
command('POST /access', { ...base, allow: 'signed-in', locks: 'access', run: async () => unchanged(null) })

// Every signed-in person may call a command that names the person whose access changes, if it checks the right of its caller.
command('POST /access', { ...base, allow: 'signed-in', locks: { accessOf: () => 1 }, run: async () => unchanged(null) })

// @ts-expect-error a command that anyone may call cannot change access
command('POST /access', { ...base, allow: 'anyone', locks: { accessOf: () => 1 }, run: async () => unchanged(null) })
