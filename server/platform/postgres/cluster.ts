import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chown, lstat, mkdir, mkdtemp, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { giveTo, type Owner, type Programs, runProgram } from './programs.ts'

/** The role and the database of the portal; the role owns the database and may create others, but is no superuser. */
export const roleName = 'bawaba'

/** Makes the cluster unless it is there, whole or not at all, and answers the role's password; a lost password file is replaced. */
export async function prepareCluster(cluster: string, programs: Programs) {
  await removeHalfMade(cluster)
  const passwordFile = `${cluster}.password`
  const saved = await readFile(passwordFile, 'utf8').catch(missing)
  const password = saved || randomBytes(24).toString('base64url')
  const exists = existsSync(join(cluster, 'PG_VERSION'))
  if (exists && !saved) await runStatements(programs, cluster, true, [`ALTER ROLE ${roleName} PASSWORD '${password}'`])
  if (!saved) await writeDurably(passwordFile, password)
  if (!exists) await makeCluster(cluster, programs, password)
  return password
}

/** A cluster is made in a folder of its own and put in place by one rename after everything reached the disk. */
async function makeCluster(cluster: string, programs: Programs, password: string) {
  const scratch = await mkdtemp(`${cluster}.new-`)
  const fresh = join(scratch, 'cluster')
  await mkdir(fresh, { mode: 0o700 })
  // The superuser's password is thrown away: from then on only single-user mode acts as superuser.
  await writeFile(join(scratch, 'password'), randomBytes(24).toString('base64url'), { mode: 0o600 })
  giveTo(programs.owner, scratch)
  await initialize(fresh, join(scratch, 'password'), programs)
  await runStatements(programs, fresh, false, [
    `CREATE ROLE ${roleName} LOGIN CREATEDB PASSWORD '${password}'`,
    `CREATE DATABASE ${roleName} OWNER ${roleName}`,
  ])
  await runProgram(programs, 'initdb', ['--sync-only', '-D', fresh])
  await rename(fresh, cluster).catch(() => {
    throw new Error(`${cluster} is in the way: neither empty nor a database; move it elsewhere`)
  })
  await syncFolder(dirname(cluster))
  await rm(scratch, { recursive: true, force: true })
}

// Trigrams of Arabic need a character type that knows letters; the names of such a locale differ between systems.
const characterTypes = ['C.UTF-8', 'UTF-8', 'C']

async function initialize(fresh: string, passwordFile: string, programs: Programs) {
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
  const access = ['--username=postgres', `--pwfile=${passwordFile}`, '--auth-local=scram-sha-256', '--auth-host=reject']
  const args = ['-D', fresh, ...locale, ...access, '--no-sync', '--no-instructions']
  let failure: unknown
  for (const type of characterTypes) {
    try {
      return await runProgram(programs, 'initdb', [...args, `--lc-ctype=${type}`])
    } catch (error) {
      if (!String(error).includes('invalid locale name')) throw error
      failure = error
    }
  }
  throw failure
}

/** Runs statements as superuser on a cluster that no server serves. */
function runStatements(programs: Programs, cluster: string, durable: boolean, statements: string[]) {
  const settings = ['exit_on_error=on', 'log_min_messages=fatal', 'log_min_error_statement=panic', `fsync=${durable ? 'on' : 'off'}`]
  const args = ['--single', ...settings.flatMap((setting) => ['-c', setting]), '-D', cluster, 'postgres']
  return runProgram(programs, 'postgres', args, `${statements.join('\n')}\n`)
}

/** An initdb whose portal was killed may still be writing; it fails by itself once its folder is gone. */
async function removeHalfMade(cluster: string) {
  const names = await readdir(dirname(cluster))
  for (const name of names.filter((name) => name.startsWith(`${basename(cluster)}.new-`)))
    await rm(join(dirname(cluster), name), { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
}

async function writeDurably(file: string, text: string) {
  await writeFile(`${file}.new`, text, { mode: 0o600, flush: true })
  await rename(`${file}.new`, file)
  await syncFolder(dirname(file))
}

async function syncFolder(folder: string) {
  const handle = await open(folder)
  await handle.sync().finally(() => handle.close())
}

const missing = (error: NodeJS.ErrnoException) => {
  if (error.code === 'ENOENT') return undefined
  throw error
}

// The shortest limit of the systems we run on (macOS 103, Linux 107), less the name of the socket.
const longestFolder = 103 - '/.s.PGSQL.5432'.length

/** The folder of the socket: the cluster itself, unless its path is too long for a socket; then a private one among the temporary files. */
export async function prepareSocketFolder(cluster: string, owner: Owner) {
  if (Buffer.byteLength(cluster) <= longestFolder) return cluster
  const name = `bawaba-${createHash('sha256').update(cluster).digest('hex').slice(0, 16)}`
  const folder = [join(tmpdir(), name), join('/tmp', name)].find((path) => Buffer.byteLength(path) <= longestFolder)!
  try {
    await mkdir(folder, { mode: 0o700 })
    if (process.getuid!() === 0) await chown(folder, owner.uid, owner.gid)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const found = await lstat(folder)
    if (!found.isDirectory() || found.uid !== owner.uid || (found.mode & 0o777) !== 0o700)
      throw new Error(`${folder} is not a private folder of user ${owner.uid}; remove it`)
  }
  return folder
}
