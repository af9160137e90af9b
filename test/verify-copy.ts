/** Verifies the chain of seals from a copy of the audit stream alone, as docs/audit-stream.md describes it. */
import { createHash } from 'node:crypto'
import type { Line } from './collector.ts'

const micros = (at: string) => BigInt(Date.parse(`${at.slice(0, 19)}Z`)) * 1000n + BigInt(at.slice(20, 26))

/** `wrong`: the id of the first seal that does not fit the rows of the copy; null if all do. */
export function verifyCopy(copy: readonly Line[]) {
  const seals = new Map<number, Line>(copy.flatMap((line) => (line.source === 'seal' ? [[line.targetId, line]] : [])))
  const rows = new Map<number, Buffer>(
    copy.flatMap((line) => (line.source === 'ledger' && line.rowHash ? [[line.sequence, Buffer.from(line.rowHash, 'hex')]] : [])),
  )
  let before: Line
  let count = 0
  for (const [id, seal] of [...seals].sort(([one], [other]) => one - other)) {
    const { ids = [], hashes = '' } = seal.facts.unlisted
    const bytes = Buffer.from(hashes, 'base64')
    const unlisted = ids.map((one: number, n: number) => [one, bytes.subarray(32 * n, 32 * n + 32)] as const)
    const listed = [...rows].filter(([sequence]) => sequence > (before?.lastId ?? 0) && sequence <= seal.lastId)
    const wholes = [...listed, ...unlisted].sort(([one], [other]) => one - other).map(([, hash]) => hash)
    const hash = createHash('sha256')
    if (before) hash.update(Buffer.from(before.hash, 'hex'))
    hash.update(`${id} ${micros(seal.at)} ${seal.lastId} `)
    for (const whole of wholes) hash.update(whole)
    if (wholes.length !== seal.facts.rows || hash.digest('hex') !== seal.hash) return { seals: seals.size, rows: count, wrong: id }
    count += wholes.length
    before = seal
  }
  return { seals: seals.size, rows: count, wrong: null }
}
