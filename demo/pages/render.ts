/** Writes a page of the demo in one language. */
import { writeBlock } from './blocks.ts'
import type { Language, Page } from './contents/content.ts'
import { html } from './html.ts'
import { writerIn } from './writer.ts'

const others = { ar: { language: 'en', name: 'English' }, en: { language: 'ar', name: 'العربية' } } as const
const directions = { ar: 'rtl', en: 'ltr' }
const notes = {
  ar: 'صفحة من العرض التجريبي؛ الأسماء والأرقام من نسج الخيال.',
  en: 'A page of the demonstration; names and figures are invented.',
}

/** The whole document. `query` is the search term. */
export function writePage({ tone, owner, title, about, blocks }: Page, language: Language, query: string) {
  const w = writerIn(language)
  const other = others[language]
  return html`<!doctype html>
<html lang="${language}" dir="${directions[language]}" data-tone="${tone}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${w.both(title)} · ${w.both(owner)}</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/style.css">
  </head>
  <body>
    <header>
      <p class="owner">
        <span>${w.both(owner)}</span>
        <a href="?lang=${other.language}" lang="${other.language}" hreflang="${other.language}">${other.name}</a>
      </p>
      <h1>${w.both(title)}</h1>
      <p>${w.both(about)}</p>
    </header>
    <main>${blocks(query).map((block) => writeBlock(w, block))}</main>
    <footer>${notes[language]}</footer>
  </body>
</html>
`.html
}
