/** Writes the parts of a page. */
import type { Block, Both, Card, State, Text } from './contents/content.ts'
import { type Html, html } from './html.ts'
import { isBoth, isState, type Writer } from './writer.ts'

/** The part of a block that has `Name`. */
type Part<Name extends string> = Extract<Block, Record<Name, unknown>> extends Record<Name, infer Of> ? Of : never

/** The heading of one item: one level below that of its block, or of the page if the block has none. */
const name = (level: number, content: string | Html) => html`<h${level} class="name">${content}</h${level}>`
const chip = ({ both }: Writer, { is, text }: State) => html`<span class="chip" data-is="${is}">${both(text)}</span>`
const metaOf = (w: Writer, meta: Text[] = []) => (meta.length ? html`<p class="meta">${meta.map(w.text)}</p>` : undefined)

const cardOf = (w: Writer, level: number, { title, state, meta, text }: Card) => html`
  <li class="card">
    ${name(level, w.text(title))}
    ${state && chip(w, state)}
    ${text && html`<p>${w.both(text)}</p>`}
    ${metaOf(w, meta)}
  </li>`

const figures = (w: Writer, all: Part<'figures'>) =>
  html`<dl class="figures">${all.map(
    ({ label, value, note }) => html`
  <div><dt>${w.both(label)}</dt><dd>${w.text(value)}</dd>${note && html`<dd class="note">${w.both(note)}</dd>`}</div>`,
  )}</dl>`

function table(w: Writer, { head, rows }: { head: Both[]; rows: (Text | State)[][] }) {
  const isNumber = (cell: Text | State) => !isState(cell) && !isBoth(cell) && /^[\d.,%+−\-/: ]+$/.test(w.say(cell))
  return html`
    <table${head.length > 2 ? html` class="stacks"` : undefined}>
      <thead><tr>${head.map((label) => html`<th scope="col">${w.both(label)}</th>`)}</tr></thead>
      <tbody>${rows.map(
        (row) => html`
        <tr>${row.map(
          (cell, place) => html`
          <td data-label="${w.both(head[place]!)}"${isNumber(cell) ? html` class="number"` : undefined}>${isState(cell) ? chip(w, cell) : w.text(cell)}</td>`,
        )}</tr>`,
      )}</tbody>
    </table>`
}

const bars = (w: Writer, all: Part<'bars'>) =>
  html`<ul class="bars">${all.map(
    ({ label, percent, value }) => html`
  <li>
    <span>${w.both(label)}</span><b>${w.text(value ?? `${percent}%`)}</b>
    <svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect width="${percent}" height="1" /></svg>
  </li>`,
  )}</ul>`

const articles = (w: Writer, level: number, all: Part<'articles'>) =>
  html`${all.map(
    ({ title, meta, text }, place) => html`
  <details${place === 0 ? html` open` : undefined}>
    <summary>${name(level, w.both(title))}${metaOf(w, meta)}</summary>
    ${text.map((paragraph) => html`<p>${w.both(paragraph)}</p>`)}
  </details>`,
  )}`

const cards = (w: Writer, level: number, all: Card[]) => html`<ul class="cards">${all.map((card) => cardOf(w, level, card))}</ul>`

const columns = (w: Writer, level: number, all: Part<'columns'>) =>
  html`<div class="columns">${all.map(
    ({ title, cards }) => html`
  <section>
    ${name(level, html`${w.both(title)} <span class="count">${cards.length}</span>`)}
    <ul>${cards.map((card) => cardOf(w, level + 1, card))}</ul>
  </section>`,
  )}</div>`

const days = (w: Writer, level: number, all: Part<'days'>) =>
  html`<ol class="days">${all.map(
    ({ day, lines }) => html`
  <li${day === 0 ? html` class="today"` : undefined}>
    ${name(level, html`${w.weekday(day)} <span>${w.date(day)}</span>`)}
    <ul>${lines.map(
      ({ time, title, meta }) => html`
      <li>${time && html`<time>${time}</time>`}<div><b>${w.both(title)}</b>${metaOf(w, meta ? [meta] : [])}</div></li>`,
    )}</ul>
  </li>`,
  )}</ol>`

/** A picture of hills under a sky, different for each place. */
const picture = (place: number) => html`
  <svg class="art" data-sky="${place % 6}" viewBox="0 0 160 100" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
    <rect class="sky" width="160" height="100" />
    <circle class="sun" cx="${30 + ((place * 37) % 100)}" cy="${24 + ((place * 13) % 22)}" r="11" />
    <path class="far" d="M0 ${64 - ((place * 7) % 14)} Q 40 ${38 + ((place * 11) % 18)} 82 62 T 160 ${58 - ((place * 5) % 12)} V 100 H 0 Z" />
    <path class="near" d="M0 ${84 - ((place * 9) % 12)} Q 52 ${62 + ((place * 3) % 14)} 96 82 T 160 80 V 100 H 0 Z" />
  </svg>`

const pictures = (w: Writer, level: number, all: Part<'pictures'>) =>
  html`<ul class="pictures">${all.map(
    ({ title, meta }, place) => html`<li>${picture(place)}${name(level, w.both(title))}<p class="meta">${w.both(meta)}</p></li>`,
  )}</ul>`

const searchWords = { ar: { find: 'ابحث', all: 'عرض الكل' }, en: { find: 'Search', all: 'Show all' } }

function search({ both, language }: Writer, { label, value, found }: Part<'search'>) {
  const { find, all } = searchWords[language]
  return html`
    <form role="search">
      <input type="hidden" name="lang" value="${language}">
      <input type="search" name="q" value="${value}" aria-label="${both(label)}" placeholder="${both(label)}">
      <button>${find}</button>
    </form>
    <p class="meta" role="status"><span>${both(found)}</span>${value ? html`<a href="?lang=${language}">${all}</a>` : undefined}</p>`
}

function partOf(w: Writer, level: number, block: Block) {
  if ('figures' in block) return figures(w, block.figures)
  if ('table' in block) return table(w, block.table)
  if ('bars' in block) return bars(w, block.bars)
  if ('articles' in block) return articles(w, level, block.articles)
  if ('cards' in block) return cards(w, level, block.cards)
  if ('columns' in block) return columns(w, level, block.columns)
  if ('days' in block) return days(w, level, block.days)
  if ('pictures' in block) return pictures(w, level, block.pictures)
  return search(w, block.search)
}

export const writeBlock = (w: Writer, block: Block) =>
  html`<section>${block.title && html`<h2>${w.both(block.title)}</h2>`}${partOf(w, block.title ? 3 : 2, block)}</section>`
