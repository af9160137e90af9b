/**
 * A program that reads a day as JSON and writes its schedule as a PDF, or one of its pages as JSON with a picture, as a PNG or as a PDF.
 * It runs in its own process, because a process can be killed while it typesets, and frees its memory when it ends.
 */
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import { coverageOf, writeMarked } from './coverage.ts'
import { readFonts } from './fonts.ts'
import { describeDay } from './rules.ts'
import type { DayContent, PageType } from './shapes.ts'
import { A4, pageIn } from './svg-page.ts'

const TEMPLATE = fileURLToPath(new URL('schedule.typ', import.meta.url))
const FOLDER = fileURLToPath(new URL('.', import.meta.url))

interface Work {
  content: DayContent
  madeAt: string
  page?: number
  /** The media type of the page. */
  as?: PageType
}
const { content, madeAt, page, as = 'application/json' } = JSON.parse(String(await buffer(process.stdin))) as Work
const day = describeDay(content, madeAt)
const fonts = await Promise.all(day.font.families.map(readFonts))
const covers = coverageOf(fonts.map(([face]) => face!))
const compiler = NodeCompiler.create({
  workspace: FOLDER,
  fontArgs: [{ fontBlobs: fonts.flat() }],
  inputs: { data: writeMarked(covers, day) },
})
const result = compiler.compile({ mainFilePath: TEMPLATE })
if (!result.result) {
  result.printDiagnostics()
  throw new Error('the schedule cannot be typeset')
}
const paper = result.result
/** Pixels to a point: 144 dpi. */
const SCALE = 2

async function drawnAsPng(svg: string) {
  const canvas = createCanvas(Math.round(A4.width * SCALE), Math.round(A4.height * SCALE))
  canvas.getContext('2d').drawImage(await loadImage(Buffer.from(svg)), 0, 0, canvas.width, canvas.height)
  return canvas.encode('png')
}

/** A PDF of one page. The typesetter cannot export a single page, so this typesets the page’s picture. */
function setAsPdf(svg: string) {
  const page = `#set page(width: ${A4.width}pt, height: ${A4.height}pt, margin: 0pt)\n#image(bytes(sys.inputs.svg), format: "svg", width: 100%)`
  return compiler.pdf({ mainFileContent: page, inputs: { svg } })
}

async function pageAs(type: PageType, page: number) {
  if (type === 'application/pdf' && paper.numOfPages === 1) return compiler.pdf(paper)
  const drawn = pageIn(compiler.plainSvg(paper), page, paper.numOfPages)
  if (type === 'application/json') return JSON.stringify(drawn)
  return type === 'image/png' ? drawnAsPng(drawn.svg) : setAsPdf(drawn.svg)
}

process.stdout.write(page === undefined ? compiler.pdf(paper) : await pageAs(as, page))
