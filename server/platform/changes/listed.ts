/** The types that the lists declare: kinds, events, targets, histories, notices. */
import type { Registry } from '../registry.ts'

export type ChangeKinds = Registry['changeKinds']
/** The schema of every event's data, by the event's name. */
export type EventSchemas = Registry['events']
export type TargetType = Registry['targetTypes']
/** The sets that have a history. */
export type HistoryKind = Registry['historyKinds']
export type NoticeType = Registry['noticeTypes']
/** The types of records that notifications can be about. */
export type RelatedType = Registry['relatedTypes']
type Templates = Registry['templates']
export type TemplateName = keyof Templates
type Places<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Places<Rest> : never
/** Values for all `{names}` in the texts of a template, in one language. */
export type ParamsOf<Name extends TemplateName> = Record<Places<Templates[Name][keyof Templates[Name]]>, string>
