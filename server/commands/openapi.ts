/** Writes `openapi.json`, or with `--check` fails when the committed one is stale. Needs no database. */
import { readFile, writeFile } from 'node:fs/promises'
import { endpoints } from '../lists/features.ts'
import { cookieName } from '../platform/auth/session-cookie.ts'
import { readConfig } from '../platform/config.ts'
import { documentOf } from '../platform/openapi/document.ts'
import { messages } from '../record/webhooks/types.ts'

const file = new URL('../../openapi.json', import.meta.url)
const document = `${JSON.stringify(documentOf(endpoints, { cookie: cookieName(readConfig({})) }, messages), null, 2)}\n`

if (process.argv.includes('--check')) {
  const committed = await readFile(file, 'utf8').catch(() => '')
  if (committed !== document) {
    console.error('openapi.json is stale: run `npm run openapi` and commit it.')
    process.exitCode = 1
  }
} else await writeFile(file, document)
