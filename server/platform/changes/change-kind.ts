/** What one kind of change means to the rest of the portal. */
import type { RawBuilder } from 'kysely'
import type { Static, TSchema } from 'typebox'
import type { Tx } from '../database/db.ts'
import type { EventSchemas, HistoryKind, NoticeType, TargetType, TemplateName } from './listed.ts'

/** Who made a change; null is the portal itself. */
export type Author = { id: number; username: string } | null

/** A row of the audit log; without `metadata` the facts of the change are shown. */
export interface Audit {
  action: string
  metadata?: Record<string, unknown>
}

/** What one set of ids gained and lost. */
export interface History {
  kind: HistoryKind
  target: number
  added: number[]
  removed: number[]
}

/** SQL of people's ids, such as of all who hold a permission. It is asked once, by the statement that records the change. */
export type PeopleQuery = RawBuilder<number[]>
export type Recipients = number[] | PeopleQuery

/** An event that is listed, with the data its schema declares. */
export type Event = {
  [Name in keyof EventSchemas]: {
    event: Name
    data: EventSchemas[Name] extends TSchema ? Static<EventSchemas[Name]> : never
    /** Nobody, when it is empty or finds none. */
    to: Recipients | 'everyone'
    /** Only these sessions of theirs. */
    sessions?: number[]
  }
}[keyof EventSchemas]

/** A notification by the name of its text; each `{word}` of that is filled from `params`. */
export interface Notice {
  recipients: Recipients
  type: NoticeType
  template: TemplateName
  params?: { ar: Record<string, string>; en: Record<string, string> }
  relatedType: string | null
  relatedId: number | null
}

declare const value: unique symbol
/** Stands in a kind for a value of this type, which each of its changes brings. */
export interface Given<T> {
  readonly [value]?: T
}
export const given = <T>(): Given<T> => ({})

/** What only the moment of a change knows. It is handed to the kind and not stored. */
export interface Needs {
  /** Whom the write has made impossible to find: those who saw an app before it went. All others the kind finds itself. */
  recipients?: Given<unknown>
  /** What events and notices show: the record as it has become, or what the texts name. */
  payload?: Given<unknown>
}
export type NoNeeds = Record<never, never>

/** Required where the kind needs it, absent where it does not. */
type Part<Name extends keyof Needs, N extends Needs> = N extends { [P in Name]: Given<infer T> }
  ? { [P in Name]: T }
  : { [P in Name]?: never }

/** A change as a command states it. */
export type ChangeOf<Facts, N extends Needs = NoNeeds> = {
  targetId: number
  facts: Facts
  /** Where that is not the caller: a person who signs in or registers was nobody when they asked. */
  author?: Author
} & Part<'recipients', N> &
  Part<'payload', N>

/** A change as its kind is told it: with its author. */
export type Told<Facts, N extends Needs = NoNeeds> = ChangeOf<Facts, N> & { author: Author }

/** A new kind must decide each of these, and says "nothing" and "nobody" aloud. Without `needs` its changes bring facts alone. */
export interface ChangeKind<Facts extends TSchema, N extends Needs> {
  targetType: TargetType
  facts: Facts
  needs?: N
  audits: 'nothing' | ((change: Told<Static<Facts>, N>) => Audit | Audit[])
  histories: 'nothing' | ((change: Told<Static<Facts>, N>) => History[])
  tells: 'nobody' | ((tx: Tx, change: Told<Static<Facts>, N>) => Promise<Notice[]> | Notice[])
  emits: 'nothing' | ((tx: Tx, change: Told<Static<Facts>, N>) => Promise<Event[]> | Event[])
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
  tells(tx: Tx, change: AnyChange): Promise<Notice[]> | Notice[]
  emits(tx: Tx, change: AnyChange): Promise<Event[]> | Event[]
}
/** A kind of change, whatever its facts and needs. */
export interface AnyKind {
  targetType: string
  audits: 'nothing' | Consequences['audits']
  histories: 'nothing' | Consequences['histories']
  tells: 'nobody' | Consequences['tells']
  emits: 'nothing' | Consequences['emits']
}

/** An update's `changed` (field → from, to), for the fields whose value moved. */
export function changedFields(before: object, after: object) {
  const changed: Record<string, { from: unknown; to: unknown }> = {}
  for (const [field, to] of Object.entries(after)) {
    const from = (before as Record<string, unknown>)[field]
    if (to !== undefined && from !== to) changed[field] = { from, to }
  }
  return changed
}
