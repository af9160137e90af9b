/** Defines endpoints. One definition gives the validation, the types, the serialisation and the documentation. */
import type { Static, TSchema } from 'typebox'
import type { Allow } from '../auth/actor.ts'
import type { Limit } from '../auth/limits.ts'
import type { Scope } from '../auth/scopes.ts'
import type { Cookies } from '../auth/session-cookie.ts'
import type { Change, Decision, Outcome } from '../changes/outcome.ts'
import type { Locks } from '../changes/transact.ts'
import type { Tx } from '../database/db.ts'
import { Refusal, type RefusalCode } from '../errors/refusal.ts'
import type { SentFile } from '../objects/files.ts'
import type { Expected, Stored } from '../objects/uploads.ts'
import type { Counted, Given, Listening, Matching, Read, Write } from './call-input.ts'
import type { Bytes, LongList, Wire, WithHeaders } from './wire.ts'

/** A file that is produced while it is sent. */
interface Download {
  filename: string
  contentType: string
  chunks: AsyncIterable<string>
  /** How many rows a cap leaves out. */
  omitted?: number
}

interface CallInput<A extends Allow, P extends TSchema, Q extends TSchema, B extends TSchema> extends Given<A, P, Q, B> {
  /** Finds another command by its `operationId`, to run it as a part of this command. */
  commandNamed: (operationId: string) => CommandEndpoint
}

/** The statuses of answers that are not refusals. */
type Status = 200 | 201 | 202 | 204 | 303

/** The media types of bodies that an endpoint can take. */
export type MediaType = 'application/json' | 'application/scim+json' | 'application/x-www-form-urlencoded' | 'text/csv'

/** A refusal. An object gives the status or the further fields that it has at this endpoint. */
type Refuses = RefusalCode | { code: RefusalCode; status?: number; body?: TSchema }

interface Common<A extends Allow, P extends TSchema, Q extends TSchema, B extends TSchema> {
  /**
   * The shape of a record that several people edit. Answers have its `ETag`, and commands that edit it call `ifMatch` in their `run`. A
   * POST that edits it lists `changed_meanwhile` in `refuses`.
   */
  record?: TSchema
  summary: string
  allow: A
  /**
   * Only for callers who have confirmed their identity within the last 15 minutes: `person` always, `administration` while the settings ask
   * for it. `when`: as `administration`, for some calls of a command.
   */
  confirm?: 'person' | 'administration' | { when: (call: CallInput<A, P, Q, B>) => boolean }
  /** The scope with which an API token may call the endpoint, or several, of which one is enough. Without a scope, no token may call it. */
  scope?: Scope | readonly Scope[]
  params?: P
  query?: Q
  body?: B
  /** The media types of the body; JSON by default. */
  takes?: readonly MediaType[]
  /** Refusals besides those that follow from `allow` and the shapes. */
  refuses?: Refuses[]
  /** The endpoint's description in the OpenAPI document, after the summary: effects and limits. */
  description?: string
  /** The field of the body in which a caller without a session gives their name: the log under `security` has its keyed hash. */
  nameIn?: string
  /** The effect of a success on the caller's cookies. */
  cookies?: Cookies
  /** The answer has a `Last-Event-ID`. A stream that resumes from this id sends everything that this answer and later ones may lack. */
  sendsEventId?: true
}

interface QuerySpec<A extends Allow, P extends TSchema, Q extends TSchema, B extends TSchema, R extends TSchema>
  extends Common<A, P, Q, B> {
  reply: R
  /** The media types of answers besides JSON, chosen by the header `Accept`: `run` then returns `Bytes`. */
  gives?: readonly string[]
  /** The length of the whole list, sent as `X-Total-Count` where `limit` asks for a part of it. */
  total?: (call: CallInput<A, P, Q, B> & Read) => Promise<number>
  run: (
    call: CallInput<A, P, Q, B> & Read,
  ) => LongList<Static<R>> | Promise<Static<R> | Wire<Static<R>> | LongList<Static<R>> | WithHeaders<Static<R>> | Bytes>
}
type FixedLocks = Extract<Locks, string>
/** The lock depends on the call and on the result of `prepare`. */
interface LocksWhen<C> {
  when(call: C): 'access' | 'texts' | undefined
}
interface LocksOfOne<C> {
  accessOf(call: C): number
}
/** Access is changed by administrators, by sources, and by providers, which move people between groups at sign-in. */
type LocksOf<A extends Allow, C> = A extends 'admin' | 'source'
  ? FixedLocks | LocksWhen<C> | LocksOfOne<C>
  : A extends 'anyone'
    ? LocksWhen<C>
    : 'caller' | LocksOfOne<C>

interface CommandSpec<A extends Allow, P extends TSchema, Q extends TSchema, B extends TSchema, R extends TSchema, Prepared>
  extends Common<A, P, Q, B> {
  reply: R
  /** Finds the record in a reply that is not itself the `record`. */
  recordIn?: (reply: Static<R>) => unknown
  /**
   * With 303, the reply is the address to which the browser is redirected, and the answer has no body. Other sites link to such a GET, so a
   * navigation from any site is allowed.
   */
  status?: Status
  /** The locks that the command's changes need; see `Locks`. Most commands need none. */
  locks?: LocksOf<A, CallInput<A, P, Q, B> & { prepared: Prepared }>
  /** The limits against which the call counts, before `prepare` and `run`. A call that `answer` settles does not count. */
  limits?: (call: CallInput<A, P, Q, B> & Read) => Limit[] | Promise<Limit[]>
  /** The reply if nothing needs to be written; undefined if `run` has to be called. */
  answer?: (
    call: CallInput<A, P, Q, B> & Read,
  ) => Promise<Static<R> | Wire<Static<R>> | LongList<Static<R>> | WithHeaders<Static<R>> | undefined>
  /** Slow work that should not hold a transaction open, such as hashing a password. */
  prepare?: (call: CallInput<A, P, Q, B> & Read & Counted & Matching) => Promise<Prepared>
  run: (
    call: CallInput<A, P, Q, B> & Write & { prepared: Prepared },
  ) => Promise<Outcome<Static<R>> | Outcome<Wire<Static<R>> | LongList<Static<R>>> | Outcome<WithHeaders<Static<R>>>>
}
interface SharedSpec<A extends Allow, P extends TSchema, B extends TSchema, R extends TSchema> extends Common<A, P, TSchema, B> {
  reply: R
  status?: 200 | 201 | 204
  /** Checks that need no transaction. */
  prepare?: (call: CallInput<A, P, TSchema, B> & Read & Counted & Matching) => Promise<void>
  /** Decides on calls of several people, one call of each, or on a single call. Returns the decisions in the same order. */
  runMany: (tx: Tx, calls: CallInput<A, P, TSchema, B>[]) => Promise<Decision<Static<R>>[]>
}
interface DownloadSpec<A extends Allow, P extends TSchema, Q extends TSchema> extends Common<A, P, Q, TSchema> {
  contentType: string
  /** The beginning of a file, as an example for the OpenAPI document. */
  example: string
  run: (call: CallInput<A, P, Q, TSchema> & Read) => Promise<Download>
  /** The change that records the download; it is committed after `run`, before anything is sent. */
  recorded?: (call: CallInput<A, P, Q, TSchema>) => Change
}
interface FileSpec<A extends Allow, P extends TSchema> extends Common<A, P, TSchema, TSchema> {
  /** The media type, if all its files have the same. */
  contentType?: string
  /** The limits against which a reading counts, before anything is sent. */
  limits?: (call: CallInput<A, P, TSchema, TSchema> & Read) => Promise<Limit[]>
  run: (call: CallInput<A, P, TSchema, TSchema> & Read) => Promise<SentFile>
}
interface UploadSpec<A extends Allow, P extends TSchema, Q extends TSchema> extends Common<A, P, Q, TSchema> {
  /** Returns the expected size and type; called before any of the body is read. */
  expect: (call: CallInput<A, P, Q, TSchema> & Read) => Promise<Expected>
  /** Records the stored bytes in a transaction; if it refuses, the bytes are removed from the store. */
  run: (call: CallInput<A, P, Q, TSchema> & { tx: Tx; stored: Stored }) => Promise<Outcome<null>>
}
interface StreamSpec<A extends Allow, Q extends TSchema> extends Common<A, TSchema, Q, TSchema> {
  /** The schema of each event's data. */
  events: Record<string, TSchema>
  run: (call: CallInput<A, TSchema, Q, TSchema> & Listening) => Promise<void>
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** An endpoint that reads, on connections that the database keeps read-only. It is a POST if its input may be too long for a URL. */
export const query = <
  A extends Allow,
  R extends TSchema,
  P extends TSchema = TSchema,
  Q extends TSchema = TSchema,
  B extends TSchema = TSchema,
>(
  at: `${'GET' | 'POST'} /${string}`,
  spec: QuerySpec<A, P, Q, B, R>,
) => ({ at, does: 'query', ...spec }) as const

/** An endpoint that writes, in one transaction with the record of its changes. It is a GET if the read itself is recorded. */
export const command = <
  A extends Allow,
  R extends TSchema,
  P extends TSchema = TSchema,
  Q extends TSchema = TSchema,
  B extends TSchema = TSchema,
  Prepared = undefined,
>(
  at: `${Method} /${string}`,
  spec: CommandSpec<A, P, Q, B, R, Prepared>,
) => ({ at, does: 'command', ...spec }) as const

/** A command whose calls share a transaction when they come at the same time. */
export const sharedCommand = <A extends Allow, R extends TSchema, P extends TSchema = TSchema, B extends TSchema = TSchema>(
  at: `${Method} /${string}`,
  spec: SharedSpec<A, P, B, R>,
) => ({ at, does: 'command', run: alone(spec.runMany), ...spec }) as const

/** Runs a single call as a batch of one. */
const alone =
  <C, Reply>(runMany: (tx: Tx, calls: C[]) => Promise<Decision<Reply>[]>) =>
  async (call: C & Write & { prepared: unknown }) => {
    const [decision] = await runMany(call.tx, [call])
    if (decision instanceof Refusal) throw decision
    return decision!
  }

export const download = <A extends Allow, P extends TSchema = TSchema, Q extends TSchema = TSchema>(
  at: `GET /${string}`,
  spec: DownloadSpec<A, P, Q>,
) => ({ at, does: 'download', ...spec }) as const

export const file = <A extends Allow, P extends TSchema = TSchema>(at: `GET /${string}`, spec: FileSpec<A, P>) =>
  ({ at, does: 'file', ...spec }) as const

/** An endpoint that takes a body of any type into the object store. */
export const upload = <A extends Allow, P extends TSchema = TSchema, Q extends TSchema = TSchema>(
  at: `PUT /${string}`,
  spec: UploadSpec<A, P, Q>,
) => ({ at, does: 'upload', status: 204, ...spec }) as const

/** An endpoint that keeps sending for as long as the client listens. */
export const stream = <A extends Allow, Q extends TSchema = TSchema>(at: `GET /${string}`, spec: StreamSpec<A, Q>) =>
  ({ at, does: 'stream', ...spec }) as const

/** A call of any endpoint. Its parts have been checked against that endpoint's shapes. */
export type Call = CallInput<Allow, TSchema, TSchema, TSchema>

type Prepared = Call & { prepared: unknown }

/** The options of every endpoint. */
interface Described extends Omit<Common<Allow, TSchema, TSchema, TSchema>, 'confirm'> {
  at: string
  /** The maximum length of the body in bytes, if its shape would allow more; 1 MiB by default. */
  bodyLimit?: number
  reply?: TSchema
  status?: Status
  contentType?: string
  confirm?: 'person' | 'administration' | { when(call: Call): boolean }
}

// The steps are methods because TypeScript lets a method's parameters be narrower than those of the interface it implements. Each step
// was type-checked against its endpoint's shapes where it was defined, and `validate` has checked the call against the same shapes.
export interface QueryEndpoint extends Described {
  does: 'query'
  reply: TSchema
  gives?: readonly string[]
  total?(call: Call & Read): Promise<number>
  run(call: Call & Read): unknown
}
export interface CommandEndpoint extends Described {
  does: 'command'
  reply: TSchema
  recordIn?(reply: unknown): unknown
  locks?: FixedLocks | LocksWhen<Prepared> | LocksOfOne<Prepared>
  limits?(call: Call & Read): Limit[] | Promise<Limit[]>
  answer?(call: Call & Read): Promise<unknown>
  prepare?(call: Call & Read & Counted & Matching): Promise<unknown>
  run(call: Call & Write & { prepared: unknown }): Promise<Outcome<unknown>>
  runMany?(tx: Tx, calls: Call[]): Promise<Decision<unknown>[]>
}
export interface DownloadEndpoint extends Described {
  does: 'download'
  contentType: string
  example: string
  run(call: Call & Read): Promise<Download>
  recorded?(call: Call): Change
}
export interface FileEndpoint extends Described {
  does: 'file'
  limits?(call: Call & Read): Promise<Limit[]>
  run(call: Call & Read): Promise<SentFile>
}
export interface UploadEndpoint extends Described {
  does: 'upload'
  status: 204
  expect(call: Call & Read): Promise<Expected>
  run(call: Call & { tx: Tx; stored: Stored }): Promise<Outcome<null>>
}
export interface StreamEndpoint extends Described {
  does: 'stream'
  events: Record<string, TSchema>
  run(call: Call & Listening): Promise<void>
}

/** The lock of a call, once it is prepared. */
export function locksOf({ locks }: CommandEndpoint, call: Prepared): Locks | undefined {
  if (typeof locks !== 'object') return locks
  return 'when' in locks ? locks.when(call) : { accessOf: locks.accessOf(call) }
}

/** Whether some calls of an endpoint change who may do what, beyond the memberships of one person. */
export function mayChangeAccess(endpoint: Endpoint) {
  const locks = endpoint.does === 'command' ? endpoint.locks : undefined
  return locks === 'access' || locks === 'leaving' || (typeof locks === 'object' && 'when' in locks)
}

/** An endpoint as the server sees it, with any shapes. */
export type Endpoint = QueryEndpoint | CommandEndpoint | DownloadEndpoint | FileEndpoint | UploadEndpoint | StreamEndpoint

/** Whether a call writes, even if its method is GET: a command, or a download that is recorded. */
export const isRecorded = (endpoint: Endpoint) =>
  endpoint.does === 'command' || (endpoint.does === 'download' && endpoint.recorded !== undefined)
