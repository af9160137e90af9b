/**
 * What the lists at the top tell the platform's types, by declaration merging: `server/changes.ts`, `server/events/shapes.ts` and
 * `server/notices.ts` each augment it. The platform imports none of them; their values are handed to `recorder`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the lists fill it
export interface Registry {}

/** Every kind of change, by its name. */
export type ChangeKinds = Registry['changeKinds']
/** The schema of every event's data, by the event's name. */
export type EventSchemas = Registry['events']
/** What a change can be about. */
export type TargetType = Registry['targetTypes']
/** The sets whose gains and losses are kept. */
export type HistoryKind = Registry['historyKinds']
/** The kinds of notifications there are, and the names of their texts. */
export type NoticeType = Registry['noticeTypes']
export type TemplateName = Registry['templates']
