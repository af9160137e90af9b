/** Preloaded by every process of a mutant's tests, including children: loads the mutated source instead of the file. */
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { applyEdit, type Edit } from './edit.ts'

const { url, ...edit }: Edit & { url: string } = JSON.parse(process.env['MUTANT']!)

registerHooks({
  load(asked, context, next) {
    if (asked !== url) return next(asked, context)
    return { format: 'module-typescript', source: applyEdit(readFileSync(fileURLToPath(url), 'utf8'), edit), shortCircuit: true }
  },
})
