/** The pages of reviews, each in its own chunk. */
import { paramsOf, patternOf } from '../../addresses.ts'
import { reviews } from '../../desk-addresses.ts'
import type { Load } from '../../frame/chunk.tsx'

const pages: Record<(typeof reviews)[number], Load> = {
  '': () => import('./list/page.tsx'),
  ':id': () => import('./review/page.tsx'),
}
const routes = reviews.map((path) => ({ pattern: patternOf(path), load: pages[path] }))

/** The page at an address below `/reviews`, or undefined. */
export function findPage(address: string) {
  for (const { pattern, load } of routes) {
    const params = paramsOf(pattern, address)
    if (params) return { load, params }
  }
  return undefined
}
