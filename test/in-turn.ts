/** Runs several test files in this process, one after the other. */
import { join } from 'node:path'
import { describe, mock, test } from 'node:test'

const root = join(import.meta.dirname, '..')

/** Declares a test for each file, given by its path below the root. A file is imported when its turn comes, and its mocks end with it. */
export function inTurn(files: string[]) {
  for (const file of files)
    test(file, async () => {
      await describe('all', () => import(join(root, file)).then(() => {}))
      mock.reset()
    })
}
