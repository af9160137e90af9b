/** The device's copy of one person's cache. Each address has a record of its own, so that only changed data are written. */
import { kept, setting } from './device.ts'

/** The setting with the id of the person whose copy the device stores. All tabs share it; it is empty if nobody is signed in. */
export const OWNER = 'person'
const KEPT_MS = 7 * 86_400_000
const WRITE_AFTER_MS = 1000

export interface Keepable {
  name: string
  path: string
  parameters: { path?: unknown; query?: unknown }
  peek(): unknown
  readonly updatedAt: number
  readonly version: string | undefined
}
type Kept = [name: string, data: unknown, updatedAt: number, version?: string]

const changed = new Set<Keepable>()
let writing: ReturnType<typeof setTimeout> | undefined
/** The id of the person whose cache this page stores. */
let owner: string | undefined

/** Later parts of a list are useless without the earlier ones, and administrators' lists are not stored on the device. */
const isWorthKeeping = ({ path, parameters, peek }: Keepable) =>
  peek() !== undefined &&
  !(parameters.query as { offset?: number } | undefined)?.offset &&
  !/^\/(admin|users|groups|roles|permissions|service-accounts)\b/.test(path)

/** Stores the data of an address within a second or so. Call it when they have changed. */
export function keepSoon(entry: Keepable) {
  if (owner === undefined) return
  changed.add(entry)
  writing ??= setTimeout(() => {
    writing = undefined
    // Somebody else may have signed in elsewhere in this browser.
    if (owner === undefined || setting.read(OWNER) !== owner) return
    for (const entry of changed) {
      const key = `cache ${owner} ${entry.name}`
      if (isWorthKeeping(entry)) kept.write(key, [entry.name, entry.peek(), entry.updatedAt, entry.version] satisfies Kept)
      else kept.remove(key)
    }
    changed.clear()
  }, WRITE_AFTER_MS)
}

export function beginCopy(personId: number) {
  owner = String(personId)
  setting.write(OWNER, owner)
}

export type Copy = { owner: string; all: Kept[] }
/** The copy on this device and its owner. Do not show it before it is certain that nobody else is signed in here. */
export async function readCopy(): Promise<Copy | undefined> {
  const whose = setting.read(OWNER)
  const all = await kept.readAll<Kept>(`cache ${whose} `)
  return whose && all ? { owner: whose, all: all.filter(([, , updatedAt]) => Date.now() - updatedAt < KEPT_MS) } : undefined
}

/** Stops storing and deletes the copy. */
export function dropCopy() {
  clearTimeout(writing)
  writing = undefined
  changed.clear()
  // Leaves the setting alone if somebody else has signed in elsewhere in this browser.
  if (owner === undefined || [owner, null].includes(setting.read(OWNER))) setting.write(OWNER, '')
  const mine = owner === undefined ? 'cache' : `cache ${owner} `
  owner = undefined
  return kept.removeAll(mine)
}
