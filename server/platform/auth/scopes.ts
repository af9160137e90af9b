/** The calls that an API token may make: those that its owner may make and its scopes name. Each call is checked for both. */
import { refuse } from '../errors/refusal.ts'
import type { Registry } from '../registry.ts'
import type { Actor, Allow, Limits } from './actor.ts'
import type { Caller } from './sessions.ts'

export type Scope = keyof Registry['scopes'] & string

/** The right that the owner of a token needs for a scope. */
export interface Need {
  of: Allow
  /** The permission that stands in for `of`, for service accounts only. */
  ofService?: string
}
export type Scopes = Readonly<Record<string, Need>>

/** The facts that decide whether a caller may call an endpoint. */
interface Entrance {
  allow: Allow
  scope?: Scope | readonly Scope[]
  does: string
}

const listOf = (scope: Entrance['scope'] = []) => (typeof scope === 'string' ? [scope] : scope)

/** Whether the actor is a program with the permission that stands in for `of`. */
const isAppointed = (actor: Actor, { ofService }: Need) => ofService !== undefined && actor.kind === 'service' && actor.can(ofService)

/** Whether an account may have a token with this scope. */
export const mayHave = (actor: Actor, need: Need) => actor.mayEnter(need.of) || isAppointed(actor, need)

/** The scope without which a permission does not count, by permission. */
const scopeOfPermissions = (scopes: Scopes) =>
  new Map(
    Object.entries(scopes).flatMap(([scope, { of }]) => {
      const permission = typeof of === 'object' ? of.permission : of.includes('.') ? of : undefined
      return permission === undefined ? [] : [[permission, scope] as const]
    }),
  )

const refuseScope = (open: readonly Scope[]) => refuse('insufficient_scope', { body: { scope: open.join(' ') } })

/** `enter(endpoint, caller)` returns the caller with the rights that count at the endpoint. Refuses a caller who may not call it. */
export function openEntrance(scopes: Scopes) {
  const scopeOf = scopeOfPermissions(scopes)

  /** A token reads what its owner may read, and writes with the rights that its scopes name. */
  function limited(actor: Actor, { allow, does }: Entrance, scopes: readonly string[]) {
    const isCommand = does === 'command'
    const limits: Limits = { scopes, scopeOf, asAdmin: scopes.includes('admin:write') || (isCommand && allow === 'admin') }
    return isCommand ? actor.limitedTo(limits) : actor.limitedInWrites(limits)
  }

  return (entrance: Entrance, caller: Caller): Caller => {
    const { actor, session } = caller
    const open = listOf(entrance.scope)
    const isToken = session.kind === 'token'
    const named = open.filter((scope) => session.scopes?.includes(scope))
    if (isToken && open.length > 0 && named.length === 0) refuseScope(open)
    if (!actor.mayEnter(entrance.allow) && !open.some((scope) => isAppointed(actor, scopes[scope]!))) refuse('forbidden')
    if (!isToken) return caller
    if (open.length === 0) refuse('not_for_tokens')
    if (!named.some((scope) => mayHave(actor, scopes[scope]!))) refuseScope(open)
    return { actor: limited(actor, entrance, session.scopes ?? []), session }
  }
}
export type Enter = ReturnType<typeof openEntrance>
