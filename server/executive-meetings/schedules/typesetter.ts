/**
 * A program that reads a day as JSON and writes its schedule as a PDF, or one of its pages as a picture. It runs in its own process,
 * because a process can be killed while it typesets, and frees its memory when it ends.
 */
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import { readFonts } from './fonts.ts'
import { describeDay } from './rules.ts'
import type { DayContent } from './shapes.ts'
import { pageIn } from './svg-page.ts'

const TEMPLATE = fileURLToPath(new URL('schedule.typ', import.meta.url))
const FOLDER = fileURLToPath(new URL('.', import.meta.url))

interface Work {
  content: DayContent
  madeAt: string
  /** The page to draw. */
  page?: number
}
const { content, madeAt, page } = JSON.parse(String(await buffer(process.stdin))) as Work
const day = describeDay(content, madeAt)
const fontBlobs = (await Promise.all(day.font.families.map(readFonts))).flat()
const compiler = NodeCompiler.create({ workspace: FOLDER, fontArgs: [{ fontBlobs }], inputs: { data: JSON.stringify(day) } })
const result = compiler.compile({ mainFilePath: TEMPLATE })
if (!result.result) {
  result.printDiagnostics()
  throw new Error('the schedule cannot be typeset')
}
if (page === undefined) process.stdout.write(compiler.pdf(result.result))
else process.stdout.write(JSON.stringify(pageIn(compiler.plainSvg(result.result), page, result.result.numOfPages)))
