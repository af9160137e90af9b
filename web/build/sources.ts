/** Checks whether `web/dist` is built from the present sources. */
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The only file of the server that pages import. */
const FORM_RULES = 'server/work/service-forms/rules.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A hash of the sources of the pages and of the packages' lock file. */
export function sourcesHash() {
  const files = globSync('web/**/*', {
    cwd: root,
    withFileTypes: true,
    exclude: (entry) => entry.name === 'dist' || entry.name === 'testing',
  })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.spec.ts'))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
    .toSorted()
  const hash = createHash('sha256')
  for (const file of [...files, FORM_RULES, 'package-lock.json'])
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0')
  return hash.digest('hex').slice(0, 16)
}
