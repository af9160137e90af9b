/** A kind of change, and its consequences for the rest of the portal. */
import { isDeepStrictEqual } from 'node:util'
import type { RawBuilder } from 'kysely'
import { type Static, type TSchema, Type } from 'typebox'
import type { Tx } from '../database/db.ts'
import type { EventSchemas, HistoryKind, NoticeType, ParamsOf, RelatedType, TargetType, TemplateName } from './listed.ts'

/** The author of a change; null is the portal itself. */
export type Author = { id: number; username: string } | null

/** A row of the audit log; without `metadata` the facts of the change are shown. */
export interface Audit {
  action: string
  metadata?: Record<string, unknown>
}

/** The ids that the set of the record `target` gained and lost. */
export interface History {
  kind: HistoryKind
  target: number
  added: number[]
  removed: number[]
  /** The ends of grants that were given, changed or lost; `id` is the member of the set, null is no end. */
  ends?: { id: number; from: string | null; to: string | null }[]
}

/** SQL for people's ids, such as all holders of a permission. The statement that records the change evaluates it once. */
export type PeopleQuery = RawBuilder<number[]>
export type Recipients = number[] | PeopleQuery

/** A listed event, with the data that its schema declares. */
export type Event = {
  [Name in keyof EventSchemas]: {
    event: Name
    data: EventSchemas[Name] extends TSchema ? Static<EventSchemas[Name]> : never
    /** The recipients. An empty list, or a query that finds no ids, sends the event to nobody. */
    to: Recipients | 'everyone'
    /** Limits the event to these sessions of the recipients. */
    sessions?: number[]
  }
}[keyof EventSchemas]

/** A notification by the name of its template, whose `{names}` are filled from `params`. */
export type Notice = {
  [Name in TemplateName]: {
    recipients: Recipients
    type: NoticeType
    template: Name
    params: { ar: ParamsOf<Name>; en: ParamsOf<Name> }
    /** The notice is unread for its author, too, because somebody else may have acted in the author's name. */
    tellsAuthor?: true
    relatedType: RelatedType | null
    relatedId: number | null
  }
}[TemplateName]
/** Notifications about a record, or only those of one template, that no longer need reading. */
export interface Settled {
  relatedType: RelatedType
  relatedId: number
  template?: TemplateName
}
/** The templates that need no other parameters than these. */
export type TemplateFor<Params> = { [Name in TemplateName]: Params extends ParamsOf<Name> ? Name : never }[TemplateName]

declare const value: unique symbol
/** Declares in a kind that each of its changes brings a value of this type. */
export interface Given<T> {
  readonly [value]?: T
}
export const given = <T>(): Given<T> => ({})

/** Values that are known only at the time of a change. They are passed to the kind and not stored. */
export interface Needs {
  /** Only recipients that cannot be found after the write, such as those who saw a deleted app. The kind finds all others itself. */
  recipients?: Given<unknown>
  /** The values that events and notices show: the record after the change, or the parameters of the texts. */
  payload?: Given<unknown>
}
export type NoNeeds = Record<never, never>

/** Requires the field if the kind needs it, and forbids it otherwise. */
type Needed<Name extends keyof Needs, N extends Needs> = N extends { [P in Name]: Given<infer T> }
  ? { [P in Name]: T }
  : { [P in Name]?: never }

/** The entry of a history that a change puts back, by the kind of history and the entry's id in it. */
export interface RevertOf {
  kind: string
  entryId: number
}

/** A change as a command states it. */
export type ChangeOf<Facts, N extends Needs = NoNeeds> = {
  targetId: number
  facts: Facts
  /** Stored with the change, in the log and in the histories. */
  revertOf?: RevertOf
  /** Overrides the caller: a person who was not signed in when they called, or null for the portal itself. */
  author?: Author
} & Needed<'recipients', N> &
  Needed<'payload', N>

/** A change with its author, as its kind receives it. */
export type AuthoredChange<Facts, N extends Needs = NoNeeds> = ChangeOf<Facts, N> & { author: Author }

/**
 * A kind must state what it audits and emits, even if that is `'nothing'`. Most kinds have no history and notify nobody; `test/changes.txt`
 * lists the kinds that do. Without `needs`, changes bring facts only.
 */
export interface ChangeKind<Facts extends TSchema, N extends Needs> {
  targetType: TargetType
  facts: Facts
  needs?: N
  /** False keeps its changes out of the ledger. Only for kinds whose tables may be written without a row in the ledger. */
  isKept?: false
  /** For changes that people repeat: the ledger stores only the first change within a minute for each target person. */
  isGathered?: true
  /** Logged under `security`, without its facts. `'warning'` makes it a warning for the collector of the audit stream. */
  isSecurityEvent?: true | 'warning'
  audits: 'nothing' | ((change: AuthoredChange<Static<Facts>, N>) => Audit | Audit[])
  histories?: (change: AuthoredChange<Static<Facts>, N>) => History[]
  notifies?: (tx: Tx, change: AuthoredChange<Static<Facts>, N>) => Promise<Notice[]> | Notice[]
  emits: 'nothing' | ((tx: Tx, change: AuthoredChange<Static<Facts>, N>) => Promise<Event[]> | Event[])
  /** The fields of an update that decide on nobody's access: changes of these alone take no lock of access. */
  texts?: readonly string[]
  /** The notices that the change marks as read for all people. */
  settles?: (change: AuthoredChange<Static<Facts>, N>) => Settled[]
}

export const kind = <Facts extends TSchema, N extends Needs = NoNeeds>(definition: ChangeKind<Facts, N>) => definition

interface AnyChange {
  targetId: number
  facts: unknown
  author: Author
}
/** The parameters of a method may be narrower than those it is called with: `changed()` has checked each change against its own kind. */
interface Consequences {
  audits(change: AnyChange): Audit | Audit[]
  histories(change: AnyChange): History[]
  notifies(tx: Tx, change: AnyChange): Promise<Notice[]> | Notice[]
  emits(tx: Tx, change: AnyChange): Promise<Event[]> | Event[]
  settles(change: AnyChange): Settled[]
}
/** A kind of change with any facts and needs. */
export interface AnyKind {
  targetType: string
  isKept?: false
  isGathered?: true
  isSecurityEvent?: true | 'warning'
  audits: 'nothing' | Consequences['audits']
  histories?: Consequences['histories']
  notifies?: Consequences['notifies']
  emits: 'nothing' | Consequences['emits']
  settles?: Consequences['settles']
}

/** The values of the given fields that are not empty, for notices about a row after its deletion. */
export const textsOf = <F extends string>(row: { [Field in F]: string | null }, fields: readonly F[]): { [Field in F]?: string } =>
  Object.fromEntries(fields.flatMap((field) => (row[field] ? [[field, row[field]]] : []))) as { [Field in F]?: string }
export const descriptions = ['descriptionAr', 'descriptionEn'] as const

const ids = Type.Array(Type.Integer())
/** The facts of a reordering. */
export const NewOrder = Type.Object({ changed: Type.Object({ order: Type.Object({ from: ids, to: ids }) }) })

/** An update's `changed` (field → from, to), for the fields whose value changed. */
export function changedFields(before: object, after: object) {
  const changed: Record<string, { from: unknown; to: unknown }> = {}
  for (const [field, to] of Object.entries(after)) {
    const from = (before as Record<string, unknown>)[field]
    if (to !== undefined && !isDeepStrictEqual(from, to)) changed[field] = { from, to }
  }
  return changed
}
