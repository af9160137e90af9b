/** PDFs as a reader sees them: their words, and their ink. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

async function withFile<T>(pdf: Buffer, look: (path: string) => Promise<T>) {
  const folder = await mkdtemp(join(tmpdir(), 'bawaba-pdf-'))
  const path = join(folder, 'document.pdf')
  await writeFile(path, pdf)
  return look(path).finally(() => rm(folder, { recursive: true, force: true }))
}

const ask = (pdf: Buffer, program: string, ...options: string[]) =>
  withFile(
    pdf,
    async (path) => (await run(program, [...options, path, ...(program === 'pdftotext' ? ['-'] : [])], { maxBuffer: 1e8 })).stdout,
  )

/** Without spaces, which a reader guesses from the distances of letters, strokes that a font joins letters with, and marks of direction. */
export const bare = (text: string) => text.replace(/[\s\u0640\u200B-\u200F\u202A-\u202E\u2066-\u2069]/g, '')

/** What each page says, in reading order. */
export const readPages = async (pdf: Buffer) => (await ask(pdf, 'pdftotext')).split('\f').slice(0, -1).map(bare)

/** What is told of the document itself. */
export const readInfo = async (pdf: Buffer) =>
  Object.fromEntries((await ask(pdf, 'pdfinfo')).split('\n').map((line) => line.split(/:\s+(.*)/).slice(0, 2) as [string, string]))

/** In points, from the upper left corner of the page. */
export interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

/** The words of a page and where they stand. */
export async function readWords(pdf: Buffer, page = 1) {
  const found = await ask(pdf, 'pdftotext', '-bbox', '-f', String(page), '-l', String(page))
  const words = /<word xMin="(.*?)" yMin="(.*?)" xMax="(.*?)" yMax="(.*?)">(.*?)<\/word>/g
  return [...found.matchAll(words)].map(([, left, top, right, bottom, word]) => ({
    word: bare(word!),
    box: { left: Number(left), top: Number(top), right: Number(right), bottom: Number(bottom) } as Box,
  }))
}

/** A page as it is printed: how dark each of its points is, and where the ink is. */
export async function render(pdf: Buffer, page = 1, dpi = 72) {
  const options = ['-gray', '-r', String(dpi), '-f', String(page), '-singlefile']
  const pgm = await withFile(pdf, async (path) => {
    const { stdout } = await run('pdftoppm', [...options, path], { maxBuffer: 1e8, encoding: 'buffer' })
    return stdout
  })
  const header = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(pgm.toString('latin1', 0, 40))!
  const [width, height, start] = [Number(header[1]), Number(header[2]), header[0].length]
  const isInk = (x: number, y: number) => x >= 0 && y >= 0 && x < width && y < height && pgm[start + y * width + x]! < 160
  const scale = dpi / 72

  /** The points with ink in a part of the page. */
  function inkIn({ left, top, right, bottom }: Box) {
    const points: [x: number, y: number][] = []
    for (let y = Math.floor(top * scale); y < bottom * scale; y++)
      for (let x = Math.floor(left * scale); x < right * scale; x++) if (isInk(x, y)) points.push([x, y])
    return points
  }
  /** In how many pieces that ink is; points that touch are of one piece. */
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
