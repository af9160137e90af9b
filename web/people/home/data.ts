import { waitFor } from '../../platform/acts.ts'
import { resource } from '../../platform/cache.ts'
import { api, guess, type Schemas } from '../../platform/client.ts'

export type App = Schemas['AppInLauncher']

/** The person's apps in their own order. */
export const apps = resource('/apps')

/** Shows the order at once and saves it. If saving fails, restores the former order and throws. */
export function arrangeApps(order: App[]) {
  const saved = guess(
    apps.change(() => order),
    api.PUT('/me/app-order', { body: { order: order.map(({ id }) => id) } }),
  )
  // A list that was read before the call was answered may have the former order, so the new order is shown again.
  const settled = saved.then(
    () => void apps.change(() => order),
    () => {},
  )
  waitFor(settled, undefined, '/apps')
  return saved
}

/** Records that an app was opened. `keepalive` sends the call even if the page is closed at once. */
export const noteOpening = (app: App) =>
  void api.POST('/apps/{id}/open', { params: { path: { id: app.id } }, keepalive: true }).catch(() => {})
