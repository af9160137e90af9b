import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chown, lstat, mkdir, mkdtemp, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { giveTo, type Owner, type Programs, runProgram } from './programs.ts'

/** The portal's role, and the database it owns. The role may create other databases but is not a superuser. */
export const roleName = 'bawaba'

/** Creates the cluster if it is missing, completely or not at all, and returns the role's password. A lost password file is replaced. */
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

/** Builds the cluster in a scratch folder and renames it into place once everything has reached the disk. */
async function makeCluster(cluster: string, programs: Programs, password: string) {
  const scratch = await mkdtemp(`${cluster}.new-`)
  const fresh = join(scratch, 'cluster')
  await mkdir(fresh, { mode: 0o700 })
  // The superuser's password is not kept: from then on, only single-user mode can act as the superuser.
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

// Arabic trigrams need an LC_CTYPE that classifies Arabic letters. Systems differ in what they call such a locale.
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

/** Runs statements as the superuser on a cluster that has no running server. */
function runStatements(programs: Programs, cluster: string, durable: boolean, statements: string[]) {
  const settings = ['exit_on_error=on', 'log_min_messages=fatal', 'log_min_error_statement=panic', `fsync=${durable ? 'on' : 'off'}`]
  const args = ['--single', ...settings.flatMap((setting) => ['-c', setting]), '-D', cluster, 'postgres']
  return runProgram(programs, 'postgres', args, `${statements.join('\n')}\n`)
}

/** Removes unfinished clusters. The initdb of a killed portal may still be writing one; it fails once its folder is gone. */
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

// The shortest limit on a socket's path (103 bytes on macOS, 107 on Linux), less the name of the socket.
const longestFolder = 103 - '/.s.PGSQL.5432'.length

/** The folder of the socket: the cluster or, if its path is too long for a socket, a private folder among the temporary files. */
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
