/** The backup file: a compressed tar archive, written and read in pieces. It exists completely or not at all. */
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { extract, pack } from 'tar-stream'
import { syncFolder } from '../process/sync-folder.ts'

const PIECE_BYTES = 1024 * 1024
/** The most bytes of an entry that is read whole. */
const MOST_BYTES = 512 * 1024 * 1024

type Bytes = AsyncIterable<Uint8Array>

export interface ArchiveWriter {
  addJson(name: string, value: unknown): Promise<void>
  /** Adds bytes of unknown length, as `name/1`, `name/2` and so on. */
  addPieces(name: string, bytes: Bytes): Promise<void>
  /** Adds exactly `size` bytes. */
  addFile(name: string, size: number, bytes: Bytes): Promise<void>
}

/** Pieces of 1 MiB or somewhat more. */
async function* inPieces(bytes: Bytes) {
  let held: Uint8Array[] = []
  let size = 0
  for await (const chunk of bytes) {
    held.push(chunk)
    size += chunk.length
    if (size < PIECE_BYTES) continue
    yield Buffer.concat(held)
    held = []
    size = 0
  }
  if (size) yield Buffer.concat(held)
}

/**
 * Writes an archive with the entries that `fill` adds. The file gets its name only when all of it is on disk, and only its owner may read
 * it. Throws an error of one line if the file exists already. A failure leaves no file.
 */
export async function writeArchive(file: string, fill: (archive: ArchiveWriter) => Promise<void>) {
  if (await stat(file).catch(() => null)) throw new Error(`${file} is there already`)
  await mkdir(dirname(file), { recursive: true })
  const part = `${file}.part`
  await rm(part, { force: true })
  const tar = pack()
  const written = pipeline(tar, createGzip(), createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true }))
  // A writer that waits for the buffer to drain must fail when the disk is full.
  const failed = new Promise<never>((_, reject) => written.catch(reject))
  failed.catch(() => {})
  const while_ = <T>(work: Promise<T>) => Promise.race([work, failed])

  async function addFile(name: string, size: number, bytes: Bytes) {
    const { promise: added, resolve, reject } = Promise.withResolvers<void>()
    const entry = tar.entry({ name, size, mode: 0o600 }, (error) => (error ? reject(error) : resolve()))
    added.catch(() => {})
    for await (const chunk of bytes) if (!entry.write(chunk)) await while_(once(entry, 'drain'))
    entry.end()
    await while_(added)
  }
  const addWhole = (name: string, bytes: Buffer) =>
    addFile(
      name,
      bytes.length,
      (async function* () {
        yield bytes
      })(),
    )
  try {
    await fill({
      addJson: (name, value) => addWhole(name, Buffer.from(`${JSON.stringify(value, null, 1)}\n`)),
      async addPieces(name, bytes) {
        let number = 0
        for await (const piece of inPieces(bytes)) await addWhole(`${name}/${++number}`, piece)
      },
      addFile,
    })
    tar.finalize()
    await written
    await rename(part, file)
    await syncFolder(dirname(file))
  } catch (error) {
    tar.destroy()
    await written.catch(() => {})
    await rm(part, { force: true })
    throw error
  }
}

export interface Entry {
  name: string
  size: number
  bytes: Bytes
}

/** Parses an entry of JSON. Throws if it has more than 512 MiB. */
export async function readJson<T>({ bytes, size }: Entry): Promise<T> {
  if (size > MOST_BYTES) throw new Error('an entry is too long')
  return JSON.parse(Buffer.concat(await Array.fromAsync(bytes)).toString())
}

/** The error for an incomplete or damaged archive. */
const damaged = (file: string, { message }: Error) => new Error(`${file} is not a whole backup (${message})`)

/**
 * The entries of an archive, in order; read each before asking for the next. Throws if the file is truncated or damaged, at its end at the
 * latest.
 */
export async function* readArchive(file: string): AsyncGenerator<Entry> {
  const tar = extract()
  const read = pipeline(createReadStream(file), createGunzip(), tar)
  read.catch(() => {})
  async function* bytesOf(entry: Bytes) {
    try {
      yield* entry
    } catch (error) {
      throw damaged(file, error as Error)
    }
  }
  try {
    for await (const entry of tar) yield { name: entry.header.name, size: entry.header.size ?? 0, bytes: bytesOf(entry) }
    await read
  } catch (error) {
    throw (error as NodeJS.ErrnoException).syscall ? error : damaged(file, error as Error)
  } finally {
    tar.destroy()
    await read.catch(() => {})
  }
}

/** Reads all of an archive, and returns the name of its last entry. */
export async function checkArchive(file: string) {
  let last: string | undefined
  for await (const { name, bytes } of readArchive(file)) {
    last = name
    for await (const _ of bytes);
  }
  return last
}
