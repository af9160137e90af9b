/**
 * A process of a whole run: takes one file of tests after the other from the queue that it shares with the others, until none is left.
 * To start a process and load the portal costs more than most files' tests.
 */
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'

const root = new URL('..', import.meta.url)
const LIST = 'files.json'

/** Where the list of its files is. */
export const listOf = (folder: string) => join(folder, LIST)

const markOf = (folder: string, index: number) => join(folder, `${index}.taken`)
const filesOf = (folder: string) => JSON.parse(readFileSync(listOf(folder), 'utf8')) as string[]

/** The files that no process has taken. */
export const leftIn = (folder: string) => filesOf(folder).filter((_, index) => !existsSync(markOf(folder, index)))

/** Whether no other process has taken the file already. */
function take(folder: string, index: number) {
  try {
    closeSync(openSync(markOf(folder, index), 'wx'))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  }
}

/** Runs a file, named from the root, as a suite; resolves when its tests have ended and have cleared away what they made. */
export const runFile = (file: string) =>
  new Promise<void>((resolve) => {
    suite(file, async () => {
      try {
        await import(new URL(file, root).href)
      } catch (error) {
        test('the file is loaded', () => {
          throw error
        })
      }
      after(() => resolve())
    })
  })

/** How many files a process takes at most: what it has loaded and opened for them stays in its memory. */
export const MOST_FILES = 16

/** Runs what is left in the queue, up to `MOST_FILES` of it. */
export async function runQueue(folder: string) {
  let taken = 0
  for (const [index, file] of filesOf(folder).entries()) {
    if (!take(folder, index)) continue
    await runFile(file)
    if (++taken === MOST_FILES) return
  }
}
