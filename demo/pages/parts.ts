/** The parts of a page. Each is a function that renders itself for a reader. */
import { workingDay } from '../organisation/calendar.ts'
import { type Html, html } from './html.ts'
import type { Reader } from './reader.ts'

export type Part = (reader: Reader) => Html
/** A description of the page, then its parts; a text among the parts is the heading of the next one. */
export type Page = [about: string, ...(string | Part)[]]
/** The content of a cell: a text, or one of the parts below. */
type Piece = string | Part

/** A working day counted from today. */
export const day =
  (offset: number): Part =>
  ({ date }) =>
    html`<span>${date({ weekday: 'long', day: 'numeric', month: 'long' }, new Date(`${workingDay(offset)}T12:00`))}</span>`

/** A month counted from this one. */
export const month =
  (offset: number): Part =>
  ({ date }) => {
    const now = new Date()
    return html`<span>${date({ month: 'long', year: 'numeric' }, new Date(now.getFullYear(), now.getMonth() + offset, 1))}</span>`
  }

export const riyals =
  (value: number): Part =>
  ({ number }) =>
    html`<span>${number({ style: 'currency', currency: 'SAR', maximumFractionDigits: 0 }, value)}</span>`

export const percent =
  (value: number): Part =>
  ({ number }) =>
    html`<span class="share"><progress max="100" value="${value}" aria-hidden="true"></progress>${number({ style: 'percent' }, value / 100)}</span>`

const state =
  (is: string) =>
  (text: string): Part =>
  ({ say }) =>
    html`<span class="state" data-is="${is}">${say(text)}</span>`
export const well = state('well')
export const awaited = state('awaited')
export const wrong = state('wrong')
export const over = state('over')

/** A text that is the same in both languages is isolated with its own direction. */
function show(reader: Reader, piece: Piece) {
  if (typeof piece !== 'string') return piece(reader)
  return piece.includes(' | ') ? html`<span>${reader.say(piece)}</span>` : html`<bdi>${piece}</bdi>`
}

export const figures =
  (...all: [label: string, value: Piece, note?: string][]): Part =>
  (reader) =>
    html`<dl class="figures">${all.map(
      ([label, value, note]) => html`
    <div><dt>${reader.say(label)}</dt><dd>${show(reader, value)}</dd>${note && html`<dd class="meta">${reader.say(note)}</dd>`}</div>`,
    )}</dl>`

export const table =
  (head: string[], ...rows: Piece[][]): Part =>
  (reader) => {
    const labels = head.map(reader.say)
    const cell = (piece: Piece, place: number) => html`<td data-label="${labels[place]!}">${show(reader, piece)}</td>`
    return html`
    <table>
      <thead><tr>${labels.map((label) => html`<th scope="col">${label}</th>`)}</tr></thead>
      <tbody>${rows.map((row) => html`<tr>${row.map(cell)}</tr>`)}</tbody>
    </table>`
  }

export const article =
  (title: string, about: Piece[], ...paragraphs: string[]): Part =>
  (reader) =>
    html`
    <article>
      <h2>${reader.say(title)}</h2>
      <p class="meta">${about.map((piece) => show(reader, piece))}</p>
      ${paragraphs.map((text) => html`<p>${reader.say(text)}</p>`)}
    </article>`

/** Hills under a sky, different for each place. */
function picture(place: number) {
  const [sky, hills] = [(200 + place * 67) % 360, (20 + place * 67) % 360]
  return html`
    <svg viewBox="0 0 160 100" aria-hidden="true">
      <rect width="160" height="100" fill="hsl(${sky} 50% 80%)" />
      <circle cx="${30 + ((place * 37) % 100)}" cy="30" r="11" fill="hsl(45 90% 92%)" />
      <path d="M0 ${64 - ((place * 7) % 14)} Q40 ${38 + ((place * 11) % 18)} 82 62 T160 58 V100 H0Z" fill="hsl(${hills} 30% 58%)" />
      <path d="M0 ${84 - ((place * 9) % 12)} Q52 66 96 82 T160 80 V100 H0Z" fill="hsl(${hills} 35% 34%)" />
    </svg>`
}

export const pictures =
  (...all: [title: string, photographer: string][]): Part =>
  ({ say }) =>
    html`<ul class="pictures">${all.map(
      ([title, photographer], place) => html`<li>${picture(place)}<b>${say(title)}</b><p class="meta">${say(photographer)}</p></li>`,
    )}</ul>`

/** A search field, and below it the result of `found` for the query. */
export const search =
  (label: string, found: (query: string) => { summary: string; part: Part }): Part =>
  (reader) => {
    const { language, query, say } = reader
    const { summary, part } = found(query)
    return html`
    <form role="search">
      <input type="hidden" name="lang" value="${language}">
      <input type="search" name="q" value="${query}" aria-label="${say(label)}" placeholder="${say(label)}">
      <button>${say('ابحث | Search')}</button>
    </form>
    <p class="meta" role="status"><span>${say(summary)}</span>${query && html`<a href="?lang=${language}">${say('عرض الكل | Show all')}</a>`}</p>
    ${part(reader)}`
  }
