/** Runs the typesetter in a child process. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const PROGRAM = fileURLToPath(new URL('typesetter.ts', import.meta.url))
const MOST_MS = 60_000

export interface Typeset {
  pieces: Buffer[]
  size: number
  sha256: string
}

async function gather(bytes: AsyncIterable<Buffer>): Promise<Typeset> {
  const sum = createHash('sha256')
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of bytes) {
    sum.update(piece)
    pieces.push(piece)
    size += piece.length
  }
  return { pieces, size, sha256: sum.digest('hex') }
}

/**
 * Makes the PDF of a day, given as the typesetter's input. The child inherits no environment. The result is undefined if a signal ends the
 * child: the portal's after `mostMs`, the kernel's when memory runs out, or one for a fault in its native code. If the child fails, the
 * error has its output.
 */
export async function typeset(day: string, mostMs = MOST_MS): Promise<Typeset | undefined> {
  const program = spawn(process.execPath, [PROGRAM], { env: {} })
  const patience = setTimeout(() => program.kill('SIGKILL'), mostMs)
  const ended = new Promise<string | number>((resolve, reject) => {
    program.once('error', reject)
    program.once('close', (code, signal) => resolve(signal ?? code!))
  })
  // If the child stops reading early, its exit code says why.
  program.stdin.on('error', () => {}).end(day)
  const [made, complaint, end] = await Promise.all([gather(program.stdout), text(program.stderr), ended]).finally(() =>
    clearTimeout(patience),
  )
  if (typeof end === 'string') return undefined
  if (end !== 0) throw new Error(`the typesetter ended with ${end}: ${complaint.slice(0, 1000)}`)
  return made
}
