/** The input of a call, as the steps of endpoints receive it. */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { Static, TSchema } from 'typebox'
import type { Actor, Allow } from '../auth/actor.ts'
import type { Passwords } from '../auth/passwords.ts'
import type { Caller, Session } from '../auth/sessions.ts'
import type { DeletionHooks } from '../changes/deletion-hooks.ts'
import type { Config } from '../config.ts'
import type { Reads, Tx } from '../database/db.ts'
import type { Hub } from '../events/hub.ts'
import type { Objects } from '../objects/store.ts'
import type { Providers } from '../oidc/providers.ts'
import type { Outbound } from '../outbound.ts'
import type { Secrets } from '../secrets/secrets.ts'

/** Ends a long answer once the condition no longer holds for its reader. The reader's right to call the endpoint is checked in any case. */
export type AsLongAs = (holds: (actor: Actor) => boolean | Promise<boolean>) => void

export interface Given<A extends Allow, P extends TSchema, Q extends TSchema, B extends TSchema> {
  actor: A extends 'anyone' ? null : Actor
  session: A extends 'anyone' ? null : Session
  params: Static<P>
  query: Static<Q>
  body: Static<B>
  config: Config
  passwords: Passwords
  /** The hooks for deleting rows of a table. */
  deletionHooks: DeletionHooks
  /** Calls to servers that the operator has configured. */
  outbound: Outbound
  /** Calls to public servers, for the pictures that people choose. */
  pictures: Outbound
  /** The providers that people sign in with. */
  providers: Providers
  secrets: Secrets
  objects: Objects
  /** Whether the database answers and the server is not stopping. */
  isReady: () => Promise<boolean>
  /** Whether the caller has hung up, so that nobody waits for the answer. */
  isGone: () => boolean
  asLongAs: AsLongAs
  /** The caller whose calendar feed has this token. The use of the feed is recorded. */
  callerOfFeed: (token: string) => Promise<Caller | undefined>
  request: {
    id: string
    ip: string
    userAgent: string | null
    accept: string | undefined
    ifMatch: string | undefined
    /** The token of the session that counts. */
    sessionToken: string | undefined
    /** The tokens of all sessions that the browser sent. */
    sessionTokens: readonly string[]
    deviceTokens: readonly string[]
    /** The value that a command stored in this cookie with `setEncrypted`; undefined if it is missing or has expired. */
    encryptedCookie: (name: string) => unknown
  }
}
export interface Read {
  db: Reads
}
export interface Counted {
  /** A silent limit is used up: the call must have no effect, and the caller must not notice. */
  isSpent: boolean
}
export interface Matching {
  /**
   * Refuses `changed_meanwhile` when the caller edits an older state of the record than `read` returns. Call it once the record is locked,
   * whether or not it was called before.
   */
  ifMatch(read: () => unknown): Promise<void>
}
export interface Write extends Matching {
  tx: Tx
  /** The end of the grant that a new member of the changed set gets, by the member's id; null means no end. Absent if no new grant ends. */
  endOf?: ((id: number) => Date | null) | undefined
  /** The caller's cookies, set or cleared once the transaction is committed. */
  cookie: {
    set(token: string): void
    setDevice(token: string): void
    clear(): void
    /** Stores a value for `seconds` in a cookie that only the portal can read and write. False if it is too long for a browser. */
    setEncrypted(name: string, value: unknown, seconds: number): boolean
    clearEncrypted(name: string): void
  }
}

export interface Listening {
  hub: Hub
  headers: IncomingHttpHeaders
  raw: ServerResponse
  token: string
}
