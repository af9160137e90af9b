/** Previews the changes that a file would make, without writing anything. */
import type { Reads } from '../../platform/database/db.ts'
import { type JudgedRow, openJudging } from './judging.ts'
import { type Counts, type GroupCount, rowOf } from './queries.ts'
import { type FileRow, openFile } from './reading.ts'

const AT_ONCE = 500

async function* inPortions(rows: AsyncIterable<FileRow>) {
  let some: FileRow[] = []
  for await (const row of rows) {
    some.push(row)
    if (some.length < AT_ONCE) continue
    yield some
    some = []
  }
  yield some
}

/** Counts the people who join and leave each group. */
function countGroups(groups: Map<number, GroupCount>, { verdict, moves }: JudgedRow, nameOf: (id: number) => string) {
  if (verdict !== 'create' && verdict !== 'update') return
  const of = (id: number) => {
    const count = groups.get(id) ?? { id, name: nameOf(id), gained: 0, lost: 0 }
    groups.set(id, count)
    return count
  }
  for (const id of moves.added) of(id).gained++
  for (const id of moves.removed) of(id).lost++
}

/**
 * Reads and judges a file. `portions` are its rows as JSON. `isClear`: the person of each row is clear; otherwise the file may name anybody.
 * Refuses as `openFile` does.
 */
export async function previewFile(db: Reads, bytes: Buffer, callerId: number) {
  const { rows, width, ...file } = await openFile(bytes)
  const { judge, nameOf } = await openJudging(db, { callerId, width, isWhole: true })
  const counts: Counts = { create: 0, update: 0, unchanged: 0, refused: 0, deactivate: 0 }
  const groups = new Map<number, GroupCount>()
  const portions: string[] = []
  let total = 0
  let isClear = true
  for await (const some of inPortions(rows)) {
    const judged = await judge(some)
    for (const row of judged) {
      counts[row.verdict]++
      countGroups(groups, row, nameOf)
      isClear &&= !row.details.some(({ rule }) => rule === 'unclear')
    }
    total += judged.length
    if (judged.length) portions.push(JSON.stringify(judged.map(rowOf)))
  }
  const moved = [...groups.values()].sort((one, other) => one.name.localeCompare(other.name) || one.id - other.id)
  return { file, counts, groups: moved, portions, total, isClear }
}
