/** Writes `openapi.json`, or with `--check` fails when the committed one is stale. Needs no database. */
import { readFile, writeFile } from 'node:fs/promises'
import pino from 'pino'
import { endpoints } from './features.ts'
import { readConfig } from './platform/config.ts'
import { documentOf } from './platform/http/openapi.ts'
import { type Portal, serve } from './platform/http/serve.ts'

const file = new URL('../openapi.json', import.meta.url)
const nothing = {} as Portal
const app = await serve({ ...nothing, config: readConfig({}), log: pino({ level: 'silent' }) }, endpoints)
const document = `${JSON.stringify(documentOf(app, endpoints), null, 2)}\n`
await app.close()

if (process.argv.includes('--check')) {
  const committed = await readFile(file, 'utf8').catch(() => '')
  if (committed !== document) {
    console.error('openapi.json is stale: run `npm run openapi` and commit it.')
    process.exitCode = 1
  }
} else await writeFile(file, document)
