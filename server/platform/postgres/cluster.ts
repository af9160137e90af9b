import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chown, lstat, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { syncFolder } from '../process/sync-folder.ts'
import { writeDurably } from '../process/write-durably.ts'
import { giveTo, type Owner, type Programs, runProgram } from './programs.ts'

/** The name of the database and of its owner: a role that migrates it, may create other databases, and is not a superuser. */
export const ownerName = 'bawaba'
/** The role of the running portal. It owns nothing. */
export const portalName = 'bawaba_portal'

interface Passwords {
  owner: string
  portal: string
}

/** The files with the passwords of the two roles. */
const passwordFiles = (cluster: string): Passwords => ({ owner: `${cluster}.password`, portal: `${cluster}.portal-password` })

/** The passwords of a cluster; null before it is prepared. */
export async function readPasswords(cluster: string): Promise<Passwords | null> {
  const files = passwordFiles(cluster)
  const [owner, portal] = [await readIfThere(files.owner), await readIfThere(files.portal)]
  return owner && portal ? { owner, portal } : null
}

/**
 * Creates the cluster if it is missing, completely or not at all, and returns the passwords of its two roles. Replaces a lost password
 * file, and adds the portal's role to an older cluster that lacks it.
 */
export async function prepareCluster(cluster: string, programs: Programs): Promise<Passwords> {
  await removeHalfMade(cluster)
  const files = passwordFiles(cluster)
  const saved = { owner: await readIfThere(files.owner), portal: await readIfThere(files.portal) }
  const passwords = { owner: saved.owner || newPassword(), portal: saved.portal || newPassword() }
  const exists = existsSync(join(cluster, 'PG_VERSION'))
  const lacking = (['owner', 'portal'] as const).filter((role) => !saved[role])
  if (exists && lacking.length)
    await runStatements(
      programs,
      cluster,
      true,
      lacking.flatMap((role) => makeRole[role](passwords[role])),
    )
  for (const role of lacking) await writeDurably(files[role], passwords[role])
  if (!exists) await makeCluster(cluster, programs, passwords)
  return passwords
}

const newPassword = () => randomBytes(24).toString('base64url')

const addRole = (name: string) =>
  `DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${name}') THEN CREATE ROLE ${name}; END IF; END $$`

/** The statements that create each role, or change its password. The owner may do all that the portal may, such as ending its sessions. */
const makeRole = {
  owner: (password: string) => [addRole(ownerName), `ALTER ROLE ${ownerName} LOGIN CREATEDB PASSWORD '${password}'`],
  portal: (password: string) => [
    addRole(portalName),
    `ALTER ROLE ${portalName} LOGIN PASSWORD '${password}'`,
    `GRANT ${portalName} TO ${ownerName}`,
  ],
}

/** Builds the cluster in a scratch folder and renames it into place once everything has reached the disk. */
async function makeCluster(cluster: string, programs: Programs, passwords: Passwords) {
  const scratch = await mkdtemp(`${cluster}.new-`)
  try {
    await buildCluster(scratch, cluster, { programs, passwords })
  } finally {
    await rm(scratch, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
}

async function buildCluster(scratch: string, cluster: string, { programs, passwords }: { programs: Programs; passwords: Passwords }) {
  const fresh = join(scratch, 'cluster')
  await mkdir(fresh, { mode: 0o700 })
  // The superuser's password is not stored: once the scratch folder is gone, only single-user mode can act as the superuser.
  await writeFile(join(scratch, 'password'), randomBytes(24).toString('base64url'), { mode: 0o600 })
  giveTo(programs.owner, scratch)
  await initialize(fresh, join(scratch, 'password'), programs)
  await runStatements(programs, fresh, false, [
    ...makeRole.owner(passwords.owner),
    ...makeRole.portal(passwords.portal),
    `CREATE DATABASE ${ownerName} OWNER ${ownerName}`,
  ])
  await runProgram(programs, 'initdb', ['--sync-only', '-D', fresh])
  await rename(fresh, cluster).catch(() => {
    throw new Error(`${cluster} is in the way: neither empty nor a database; move it elsewhere`)
  })
  await syncFolder(dirname(cluster))
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

const readIfThere = (file: string) =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })

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
