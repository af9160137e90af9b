/** What must not compile: each line below a mark is a mistake that the types refuse. Checked by `tsc`, never run. */
import { Type } from 'typebox'
import { kind } from '../server/platform/changes/change-kind.ts'
import type { Change } from '../server/platform/changes/record.ts'
import type { Reads, Tx } from '../server/platform/database/db.ts'
import { changed, command, query, unchanged } from '../server/platform/http/endpoint.ts'
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
