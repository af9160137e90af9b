/** The building blocks of the demo's pages. */

export type Language = 'ar' | 'en'
export type Both = readonly [ar: string, en: string]
/** A text that is the same in both languages, one in each, a working day counted from today, a month counted from this one, or money. */
export type Text = string | Both | { day: number; prefix?: Both } | { month: number; prefix?: Both } | { riyals: number }
/** A text with a state: fine, pending, wrong or over. */
export interface State {
  is: 'well' | 'awaited' | 'wrong' | 'over'
  text: Both
}

export interface Card {
  title: Text
  state?: State
  meta?: Text[]
  text?: Both
}

/** A part of a page, distinguished by its one field besides the title. */
export type Block = { title?: Both } & (
  | { figures: { label: Both; value: Text; note?: Both }[] }
  | { table: { head: Both[]; rows: (Text | State)[][] } }
  | { bars: { label: Both; percent: number; value?: Text }[] }
  | { articles: { title: Both; meta?: Text[]; text: Both[] }[] }
  | { cards: Card[] }
  | { columns: { title: Both; cards: Card[] }[] }
  | { days: { day: number; lines: { time?: string; title: Both; meta?: Text }[] }[] }
  | { pictures: { title: Both; meta: Both }[] }
  | { search: { label: Both; value: string; found: Both } }
)

export interface Page {
  tone: 'teal' | 'blue' | 'plum' | 'amber' | 'rose' | 'slate'
  /** The owner of the page. */
  owner: Both
  title: Both
  about: Both
  /** `query` is the search term, if any. */
  blocks(query: string): Block[]
}

export const well = (ar: string, en: string): State => ({ is: 'well', text: [ar, en] })
export const awaited = (ar: string, en: string): State => ({ is: 'awaited', text: [ar, en] })
export const wrong = (ar: string, en: string): State => ({ is: 'wrong', text: [ar, en] })
export const over = (ar: string, en: string): State => ({ is: 'over', text: [ar, en] })
