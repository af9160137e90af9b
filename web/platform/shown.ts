/** The notifications that this device shows, for the worker and the pages. */

/**
 * Serialises access to them: if `getNotifications` runs while one is being shown, Chromium loses that one. It stays on the screen and
 * neither opens anything nor closes.
 */
export const withShown = <T>(work: () => Promise<T>) => navigator.locks.request('notifications', work)

/** Closes them all, or those that match. */
export const closeShown = (registration: ServiceWorkerRegistration, isMeant: (notificationId: number) => boolean = () => true) =>
  withShown(async () => {
    for (const one of await registration.getNotifications()) if (isMeant(one.data.notificationId)) one.close()
  })
