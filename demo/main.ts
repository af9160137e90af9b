/**
 * `npm run demo`: starts a portal on its own folder, serves the pages of its apps on the next free port, fills it with a believable
 * organisation the first time, and prints who can sign in.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import webpush from 'web-push'
import { borrowPostgres } from '../server/platform/postgres/server.ts'
import { environmentOf } from './environment.ts'
import { fill } from './fill.ts'
import { servePages } from './pages/serve.ts'

const ADMIN = { username: 'admin', password: 'bawaba-demo', email: 'admin@example.org' }
const FOLDER = 'data-demo'

/** Keys for Web Push, stored beside the subscriptions that depend on them. */
function pushKeys() {
  const file = join(FOLDER, 'vapid.json')
  if (!existsSync(file)) {
    mkdirSync(FOLDER, { recursive: true })
    writeFileSync(file, JSON.stringify(webpush.generateVAPIDKeys()), { mode: 0o600 })
  }
  const { publicKey, privateKey } = JSON.parse(readFileSync(file, 'utf8'))
  return { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey, VAPID_SUBJECT: 'mailto:admin@example.org' }
}

const main = fileURLToPath(new URL('../server/main.ts', import.meta.url))
const portal = spawn(process.execPath, [...process.execArgv, main], {
  env: {
    ...environmentOf(process.env),
    ...pushKeys(),
    DATA_DIR: FOLDER,
    ADMIN_USERNAME: ADMIN.username,
    ADMIN_PASSWORD: ADMIN.password,
    ADMIN_EMAIL: ADMIN.email,
    LOG_LEVEL: process.env['LOG_LEVEL'] || 'warn',
  },
  stdio: ['inherit', 'pipe', 'inherit'],
  // In its own process group, the portal receives a Ctrl-C once, through this process.
  detached: true,
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => portal.kill(signal))
portal.on('exit', (code) => process.exit(code ?? 1))

/** Serves the pages and fills the portal. `address` is the portal's local URL, `publicUrl` the one that people use. */
async function fillPortal(publicUrl: string, address: string) {
  const base = `http://${address}`
  const place = /^(.*):(\d+)$/.exec(address)!
  const { port } = await servePages({ portal: base, host: place[1]!, port: Number(place[2]) + 1 })
  const pagesUrl = `http://${new URL(publicUrl).hostname}:${port}`
  const { connection, release } = await borrowPostgres(FOLDER)
  try {
    console.log(await fill({ base, pagesUrl, admin: ADMIN, connection, say: console.log }))
  } finally {
    await release()
  }
}

let printed = ''
portal.stdout.pipe(process.stdout)
portal.stdout.on('data', async function look(chunk) {
  printed += chunk
  const ready = /ready at (\S+) \(listening on (\S+)\)/.exec(printed)
  if (!ready) return
  portal.stdout.off('data', look)
  try {
    await fillPortal(ready[1]!, ready[2]!)
  } catch (error) {
    console.error(`The demo could not be filled: ${(error as Error).message}`)
    portal.kill('SIGTERM')
  }
})
