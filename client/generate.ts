/** Generates the types of a client, `schema.d.ts`, from `openapi.json` with a public generator; does nothing if they are up to date. */
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'

const file = new URL('schema.d.ts', import.meta.url)
const text = await readFile(new URL('../openapi.json', import.meta.url), 'utf8')
const head = `// Of the document with the SHA-256 ${createHash('sha256').update(text).digest('hex')}.\n`

if (!(await readFile(file, 'utf8').catch(() => '')).startsWith(head)) {
  const { default: generate, astToString } = await import('openapi-typescript')
  const { default: typescript } = await import('typescript')
  const blob = typescript.factory.createTypeReferenceNode('Blob')
  const types = await generate(text, { silent: true, transform: ({ format }) => (format === 'binary' ? blob : undefined) })
  await writeFile(file, head + astToString(types))
}
