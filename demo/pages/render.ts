/** Writes the page of an app of the demo, with the name and colour of its tile. */
import { apps } from '../organisation/organisation.ts'
import { html } from './html.ts'
import type { Page } from './parts.ts'
import type { Reader } from './reader.ts'

const note = 'صفحة من العرض التجريبي؛ الأسماء والأرقام من نسج الخيال. | A page of the demonstration; names and figures are invented.'

/** Returns the whole HTML document. */
export function writePage(slug: string, [about, ...parts]: Page, reader: Reader) {
  const { language, say } = reader
  const { nameAr, nameEn, color } = apps.find((app) => app.slug === slug)!
  const name = say(`${nameAr} | ${nameEn}`)
  const [other, otherName] = language === 'ar' ? ['en', 'English'] : ['ar', 'العربية']
  return html`<!doctype html>
<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${name}</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/style.css">
  </head>
  <body>
    <header>
      <svg viewBox="0 0 10 10" aria-hidden="true"><rect width="10" height="10" rx="2.5" fill="${color}" /></svg>
      <div>
        <h1>${name}</h1>
        <p>${say(about)}</p>
      </div>
      <a href="?lang=${other}" lang="${other}" hreflang="${other}">${otherName}</a>
    </header>
    <main>${parts.map((part) => (typeof part === 'string' ? html`<h2>${say(part)}</h2>` : part(reader)))}</main>
    <footer>${say(note)}</footer>
  </body>
</html>
`.html
}
