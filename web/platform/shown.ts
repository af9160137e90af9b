/** The notifications that this device shows, for the worker and the pages. */

/**
 * Runs work on the shown notifications one at a time. If `getNotifications` runs while a notification is being shown, Chromium loses it:
 * it stays on the screen, and pressing it neither opens nor closes anything.
 */
export const withShown = <T>(work: () => Promise<T>) => navigator.locks.request('notifications', work)

/** Closes all shown notifications, or those for which `isMeant` is true. */
export const closeShown = (registration: ServiceWorkerRegistration, isMeant: (notificationId: number) => boolean = () => true) =>
  withShown(async () => {
    for (const one of await registration.getNotifications()) if (isMeant(one.data.notificationId)) one.close()
  })
