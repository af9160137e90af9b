/** The copy of what the portal said that the device keeps of one person: a record an address, so that only what changes is written. */
import { kept, setting } from './device.ts'

/** The setting that names the person whose copy the device keeps, in all tabs at once; empty where nobody is signed in. */
export const OWNER = 'person'
const KEPT_MS = 7 * 86_400_000
const WRITE_AFTER_MS = 1000

export interface Keepable {
  name: string
  path: string
  parameters: { path?: unknown; query?: unknown }
  peek(): unknown
  readonly updatedAt: number
}
type Kept = [name: string, data: unknown, updatedAt: number]

const changed = new Set<Keepable>()
let writing: ReturnType<typeof setTimeout> | undefined
/** Whom this page keeps what it knows for. */
let owner: string | undefined

/** A later part of a list is worth little without those before it, and what only administrators list stays off the device. */
const isWorthKeeping = ({ path, parameters, peek }: Keepable) =>
  peek() !== undefined &&
  !(parameters.query as { offset?: number } | undefined)?.offset &&
  !/^\/(admin|users|groups|roles|permissions)\b/.test(path)

/** What an address shows has changed. */
export function keepSoon(entry: Keepable) {
  if (owner === undefined) return
  changed.add(entry)
  writing ??= setTimeout(() => {
    writing = undefined
    // Somebody else may have signed in by another tab.
    if (owner === undefined || setting.read(OWNER) !== owner) return
    for (const entry of changed) {
      const key = `cache ${owner} ${entry.name}`
      if (isWorthKeeping(entry)) kept.write(key, [entry.name, entry.peek(), entry.updatedAt] satisfies Kept)
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
/** Whose copy this device keeps, and the copy. Nothing of it may be shown before it is known that nobody else is signed in here. */
export async function readCopy(): Promise<Copy | undefined> {
  const whose = setting.read(OWNER)
  const all = await kept.readAll<Kept>(`cache ${whose} `)
  return whose && all ? { owner: whose, all: all.filter(([, , updatedAt]) => Date.now() - updatedAt < KEPT_MS) } : undefined
}

/** Keeps nothing from now on, and forgets what was kept. */
export function dropCopy() {
  clearTimeout(writing)
  writing = undefined
  changed.clear()
  // Not of somebody who signed in by another tab.
  if (owner === undefined || [owner, null].includes(setting.read(OWNER))) setting.write(OWNER, '')
  const mine = owner === undefined ? 'cache' : `cache ${owner} `
  owner = undefined
  return kept.removeAll(mine)
}
