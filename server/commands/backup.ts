/** Writes everything that a portal has stored to one backup file, even while the portal runs, and creates a portal from such a file. */
import { existsSync } from 'node:fs'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { type ArchiveWriter, checkArchive, type Entry, readArchive, readJson, writeArchive } from '../platform/backup/archive.ts'
import { beginLoading, beginSnapshot, type Contents, readSlowly, rowsOf, tableOf } from '../platform/backup/database.ts'
import { beginBackup } from '../platform/backup/under-way.ts'
import type { Config } from '../platform/config.ts'
import { withClient } from '../platform/database/client.ts'
import { openDb } from '../platform/database/db.ts'
import { openObjects } from '../platform/objects/open.ts'
import type { Objects } from '../platform/objects/store.ts'
import { startPostgres } from '../platform/postgres/server.ts'
import { syncFolder } from '../platform/process/sync-folder.ts'
import { verifyWhole } from '../record/audit/verified.ts'
import { EVERY_KEY } from '../work/storage/queries.ts'
import { prepareDb } from './prepare.ts'

const FORMAT = 1
const HOUR_MS = 3600 * 1000
const END = 'end.json'

interface Summary {
  rows: Record<string, number>
  objects: number
  /** Keys of objects that the database names, but whose bytes are missing. */
  missing: string[]
}
interface Head {
  format: number
  at: string
  contents: Contents
}

/** A line that says what a backup contains. */
function describe({ rows, objects, missing }: Summary) {
  const counts = Object.values(rows)
  const lost = missing.length ? `; of ${missing.length} more there are no bytes, such as ${missing[0]}` : ''
  return `${counts.reduce((sum, count) => sum + count, 0)} rows of ${counts.length} tables, ${objects} objects${lost}`
}

async function addObjects(archive: ArchiveWriter, client: pg.Client, objects: Objects) {
  const missing: string[] = []
  let count = 0
  for await (const { key } of readSlowly<{ key: string }>(client, EVERY_KEY)) {
    const size = await objects.sizeOf(key)
    if (size === null) {
      missing.push(key)
      continue
    }
    await archive.addFile(`objects/${key}`, size, await objects.read(key, { start: 0, end: size - 1 }))
    count++
  }
  return { objects: count, missing }
}

/**
 * Backs up the embedded database, as its owner, and the stored objects, all from one moment. Returns a line that says what the backup
 * contains.
 */
export async function backUp(config: Config, owner: pg.PoolConfig, file: string) {
  const objects = await openObjects(config)
  let summary: Summary | undefined
  try {
    await withClient(owner, async (client) => {
      await beginBackup(client)
      await writeArchive(file, async (archive) => {
        const contents = await beginSnapshot(client)
        await archive.addJson('backup.json', { format: FORMAT, at: new Date().toISOString(), contents } satisfies Head)
        const rows: Record<string, number> = {}
        for (const table of contents.tables) {
          const copying = rowsOf(client, table)
          await archive.addPieces(`tables/${table.name}`, copying)
          rows[table.name] = copying.rowCount
        }
        summary = { rows, ...(await addObjects(archive, client, objects)) }
        await archive.addJson(END, summary)
      })
    })
  } finally {
    await objects.close()
  }
  return describe(summary!)
}

/** The file that marks a folder until a restore into it is complete. */
const UNFINISHED = 'restore.unfinished'

/** Throws an error of one line if a restore was cut off. */
export function assertWhole(dataDir: string) {
  if (existsSync(join(dataDir, UNFINISHED))) throw new Error(`a restore into ${dataDir} was cut off: empty the folder and restore again`)
}

const KEY = /^objects\/([\w-]+)$/

/**
 * Loads the entries of a backup into the database and the store. Throws an error if they are not what the backup declares. Returns a line
 * that says what was loaded, and of when it is.
 */
async function readAll(file: string, client: pg.Client, objects: Objects) {
  const entries = readArchive(file)
  const next = async (): Promise<Entry | undefined> => (await entries.next()).value || undefined
  let entry = await next()
  if (entry?.name !== 'backup.json') throw new Error(`${file} is not a backup of a portal`)
  const { format, at, contents } = await readJson<Head>(entry)
  if (format !== FORMAT) throw new Error(`${file} is of a format that this version does not know`)
  const loading = await beginLoading(client, contents)
  const found: Summary = { rows: Object.fromEntries(contents.tables.map(({ name }) => [name, 0])), objects: 0, missing: [] }
  let expected: Summary | undefined
  entry = await next()
  while (entry) {
    const table = tableOf(entry)
    const [, key] = KEY.exec(entry.name) ?? []
    if (table) {
      async function* pieces(): AsyncGenerator<Uint8Array> {
        for (; entry && tableOf(entry) === table; entry = await next()) yield* entry.bytes
      }
      found.rows[table] = await loading.load(table, pieces)
      continue
    }
    if (key) {
      await objects.put(entry.bytes as AsyncIterable<Buffer>, entry.size, key)
      found.objects++
    } else if (entry.name === END) expected = await readJson<Summary>(entry)
    else throw new Error(`${file} has an unknown part ${entry.name.slice(0, 60)}`)
    entry = await next()
  }
  if (!expected) throw new Error(`${file} changed while it was read`)
  found.missing = expected.missing
  if (describe(found) !== describe(expected)) throw new Error(`${file} has ${describe(found)}, and should have ${describe(expected)}`)
  await loading.end()
  return `${describe(found)}, as of ${at}`
}

/**
 * Creates a portal from a backup in an empty folder. Returns a line that says what it contains, and whether its ledger matches its seals. A
 * failure empties the folder again; after a killed restore, no portal starts on the folder.
 */
export async function restore(config: Config, file: string) {
  const { dataDir } = config
  if ((await checkArchive(file)) !== END) throw new Error(`${file} is not a whole backup (its end is missing)`)
  await mkdir(dataDir, { recursive: true, mode: 0o711 })
  assertWhole(dataDir)
  if ((await readdir(dataDir)).length) throw new Error(`${dataDir} is not empty: give DATA_DIR another folder`)
  const mark = join(dataDir, UNFINISHED)
  await writeFile(mark, '', { flag: 'wx', flush: true })
  await syncFolder(dataDir)
  try {
    const restored = await restoreInto(config, file)
    await rm(mark)
    await syncFolder(dataDir)
    return restored
  } catch (error) {
    for (const name of (await readdir(dataDir)).toSorted((one) => (one === UNFINISHED ? 1 : -1)))
      await rm(join(dataDir, name), { recursive: true, force: true })
    throw error
  }
}

/** Verifies the ledger of a restored database. Each statement may take an hour. */
export async function checkLedger(connection: pg.PoolConfig) {
  const db = openDb(connection, { size: 1, statementMs: HOUR_MS })
  try {
    return await verifyWhole(db.reads)
  } finally {
    await db.close()
  }
}

async function restoreInto(config: Config, file: string) {
  const { connection, owner, stop } = await startPostgres(config.dataDir)
  const objects = await openObjects(config)
  const prepare = () => prepareDb(config, { connection, owner }, () => {})
  try {
    await prepare()
    const said = await withClient(owner, (client) => readAll(file, client, objects))
    // Deletes events of transaction ids that this database has yet to reach.
    await prepare()
    return { said, ledger: await checkLedger(owner) }
  } finally {
    await objects.close()
    await stop()
  }
}
