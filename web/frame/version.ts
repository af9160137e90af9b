/** Whether the portal has newer pages than these. */
import { signal } from '@preact/signals'
import { isLive } from '../platform/live.ts'
import { at } from '../platform/router.ts'

/** Set once the portal has told; the page in use goes on as it is until its person has time. */
export const isOlder = signal(false)

/** Asks the portal which pages it has. */
export async function checkVersion() {
  const served = await fetch(at('/'), { method: 'HEAD' }).then(
    ({ headers }) => headers.get('x-pages'),
    () => null,
  )
  isOlder.value = served !== null && served !== __BUILD__
}

// A portal that was started anew may have been upgraded: the stream opens again then.
let openings = 0
isLive.subscribe((live) => {
  if (live && openings++ > 0) checkVersion()
})
