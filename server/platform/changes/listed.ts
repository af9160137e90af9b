/** The types that the lists declare: kinds, events, targets, histories, notices. */
import type { Registry } from '../registry.ts'

/** Every kind of change, by its name. */
export type ChangeKinds = Registry['changeKinds']
/** The schema of every event's data, by the event's name. */
export type EventSchemas = Registry['events']
/** What a change can have as its target. */
export type TargetType = Registry['targetTypes']
/** The sets that have a history. */
export type HistoryKind = Registry['historyKinds']
/** The kinds of notifications there are, and the names of their texts. */
export type NoticeType = Registry['noticeTypes']
export type TemplateName = Registry['templates']
/** What notifications can be about. */
export type RelatedType = Registry['relatedTypes']
