/** Reads PDFs as people see them: words and ink. Coordinates are in points from the upper left corner of the page. */
import { createCanvas, loadImage } from '@napi-rs/canvas'
import { getDocument, type PDFDocumentProxy, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { RenderParameters, TextItem } from 'pdfjs-dist/types/src/display/api.js'

const ERRORS_ONLY = 0

async function withDocument<T>(pdf: Buffer, look: (document: PDFDocumentProxy) => Promise<T>) {
  const reading = getDocument({ data: new Uint8Array(pdf), verbosity: ERRORS_ONLY })
  return look(await reading.promise).finally(() => reading.destroy())
}

/** Removes characters that cannot be compared: spaces, which the reader infers from distances, tatweels, and direction marks. */
export const bare = (text: string) => text.replace(/[\s\u0640\u200B-\u200F\u202A-\u202E\u2066-\u2069]/g, '')

const textsOf = async (page: PDFPageProxy) => (await page.getTextContent()).items.filter((item) => 'str' in item) as TextItem[]

/** The text of each page, in reading order. */
export const readPages = (pdf: Buffer) =>
  withDocument(pdf, async (document) => {
    const pages = []
    for (let n = 1; n <= document.numPages; n++) pages.push(bare((await textsOf(await document.getPage(n))).map(({ str }) => str).join('')))
    return pages
  })

export const readInfo = (pdf: Buffer) =>
  withDocument(pdf, async (document) => {
    const { info } = await document.getMetadata()
    const { width, height } = (await document.getPage(1)).getViewport({ scale: 1 })
    const scripts = await document.getJSActions()
    return { ...info, pages: document.numPages, size: [width, height], hasScripts: scripts !== null } as Record<string, unknown> & {
      pages: number
    }
  })

export interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

/** The runs of text on a page, each at least a word, with their positions. */
export const readTexts = (pdf: Buffer, page = 1) =>
  withDocument(pdf, async (document) => {
    const paper = await document.getPage(page)
    const { height: bottom } = paper.getViewport({ scale: 1 })
    return (await textsOf(paper))
      .filter(({ str }) => bare(str) !== '')
      .map(({ str, transform, width, height }) => {
        const [left, baseline] = [transform[4] as number, bottom - (transform[5] as number)]
        return { text: bare(str), box: { left, top: baseline - height, right: left + width, bottom: baseline } as Box }
      })
  })

/** A rendered page, and which of its points have ink. */
export const render = (pdf: Buffer, page = 1, dpi = 72) =>
  withDocument(pdf, async (document) => {
    const paper = await document.getPage(page)
    const viewport = paper.getViewport({ scale: dpi / 72 })
    const [width, height] = [Math.ceil(viewport.width), Math.ceil(viewport.height)]
    const canvas = createCanvas(width, height)
    // The type is that of a browser’s canvas, which has more members.
    await paper.render({ canvas: canvas as object as RenderParameters['canvas'], viewport }).promise
    return inkOf(canvas.getContext('2d').getImageData(0, 0, width, height).data, width, height, dpi / 72)
  })

/** As `render`, for an SVG of a page. */
export async function renderPicture(svg: string) {
  const picture = await loadImage(Buffer.from(svg))
  const [width, height] = [596, 842]
  const context = createCanvas(width, height).getContext('2d')
  context.drawImage(picture, 0, 0, 595.28, 841.89)
  return inkOf(context.getImageData(0, 0, width, height).data, width, height, 1)
}

/** As `render`, for a PNG of a page from a browser. */
export async function readPicture(png: Buffer, dpi: number) {
  const picture = await loadImage(png)
  const { width, height } = picture
  const context = createCanvas(width, height).getContext('2d')
  context.drawImage(picture, 0, 0)
  return inkOf(context.getImageData(0, 0, width, height).data, width, height, dpi / 72)
}

type Paper = Awaited<ReturnType<typeof render>>
const WHOLE = { left: 0, top: 0, right: 595, bottom: 842 }

/**
 * How alike two pages are, from 0 to 1: the share of one page's inked points that have ink of the other page at or beside them. The pages
 * are compared in both directions, and the smaller share counts.
 */
export function likeness(one: Paper, other: Paper) {
  const shareOf = (from: Paper, to: Paper) => {
    const there = new Set(to.inkIn(WHOLE).map(([x, y]) => `${x} ${y}`))
    const near = [-1, 0, 1].flatMap((x) => [-1, 0, 1].map((y) => [x, y] as const))
    const points = from.inkIn(WHOLE)
    return points.filter(([x, y]) => near.some(([right, down]) => there.has(`${x + right} ${y + down}`))).length / points.length
  }
  return Math.min(shareOf(one, other), shareOf(other, one))
}

function inkOf(pixels: Uint8ClampedArray, width: number, height: number, scale: number) {
  /** Luma by Rec. 601. */
  const isInk = (x: number, y: number) => {
    const at = 4 * (y * width + x)
    const light = 0.299 * pixels[at]! + 0.587 * pixels[at + 1]! + 0.114 * pixels[at + 2]!
    return x >= 0 && y >= 0 && x < width && y < height && light < 160
  }
  /** The inked points in an area of the page. */
  function inkIn({ left, top, right, bottom }: Box) {
    const points: [x: number, y: number][] = []
    for (let y = Math.floor(top * scale); y < bottom * scale; y++)
      for (let x = Math.floor(left * scale); x < right * scale; x++) if (isInk(x, y)) points.push([x, y])
    return points
  }
  /** The number of connected components of the ink in an area. */
  function countPieces(box: Box) {
    const left = new Set(inkIn(box).map(([x, y]) => y * width + x))
    let pieces = 0
    for (const point of left) {
      pieces++
      const waiting = [point]
      left.delete(point)
      while (waiting.length) {
        const at = waiting.pop()!
        for (const step of [-width - 1, -width, -width + 1, -1, 1, width - 1, width, width + 1])
          if (left.delete(at + step)) waiting.push(at + step)
      }
    }
    return pieces
  }
  return { width: width / scale, height: height / scale, inkIn, countPieces }
}
