/** Whether the portal has newer pages than these. */
import { signal } from '@preact/signals'
import { askPage } from '../platform/router.ts'

/** Whether the portal has newer pages. This page stays in use until the person reloads it. */
export const isOlder = signal(false)

/** Whether the portal has another version of the pages than this one; false if it does not answer. */
export async function hasNewer() {
  const answer = await askPage()
  return (answer?.headers.get('x-pages') ?? __BUILD__) !== __BUILD__
}

export async function checkVersion() {
  isOlder.value = await hasNewer()
}
