/** Extracts one page from the picture that the typesetter makes of a document. */

interface PagePicture {
  page: number
  pages: number
  svg: string
}

export const A4 = { width: 595.28, height: 841.89 }

/** The elements directly below the root. Relies on the indentation that the typesetter writes. */
const elementsOf = (svg: string) =>
  svg
    .slice(0, svg.lastIndexOf('</svg>'))
    .split(/\n {4}(?=<[a-z])/)
    .slice(1)

/** Removes glyphs that only other pages use, and turns symbols into groups, because some viewers support no symbols. */
const onlyUsed = (definitions: string, drawn: string) => {
  const used = new Set(Array.from(drawn.matchAll(/xlink:href="#(\w+)"/g), ([, id]) => id))
  return definitions.replace(/<symbol id="(\w+)"[^>]*>(.*?)<\/symbol>/gs, (_, id: string, glyph: string) =>
    used.has(id) ? `<g id="${id}">${glyph}</g>` : '',
  )
}

/**
 * A page of a document. The picture has the pages below each other, each as a background and a group, and then their definitions. If
 * `asked` is too high, the last page is returned.
 */
export function pageIn(svg: string, asked: number, pages: number): PagePicture {
  const elements = elementsOf(svg)
  const groups = elements.filter((element) => element.startsWith('<g'))
  if (groups.length !== pages) throw new Error(`the picture has ${groups.length} pages instead of ${pages}`)
  const page = Math.min(asked, pages)
  // The group's attributes move it below the pages before it.
  const drawn = groups[page - 1]!.replace(/^<g[^>]*>/, '<g>')
  const definitions = elements.filter((element) => element.startsWith('<defs')).map((element) => onlyUsed(element, drawn))
  const { width, height } = A4
  const root = `<svg viewBox="0 0 ${width} ${height}" width="${width}pt" height="${height}pt" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">`
  const whole = [root, `<rect width="${width}" height="${height}" fill="#ffffff"/>`, ...definitions, drawn, '</svg>'].join('')
  return { page, pages, svg: whole.replace(/\n\s*/g, '') }
}
