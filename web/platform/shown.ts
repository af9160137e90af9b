/** The notifications that this device shows, for the worker and the pages. */

/**
 * Has them to itself. Asked for them while one is being shown, Chromium forgets that one: it stays on the screen, and neither opens
 * anything nor goes away.
 */
export const withShown = <T>(work: () => Promise<T>) => navigator.locks.request('notifications', work)

/** Takes them off the screen, or those that are meant. */
export const closeShown = (registration: ServiceWorkerRegistration, isMeant: (notificationId: number) => boolean = () => true) =>
  withShown(async () => {
    for (const one of await registration.getNotifications()) if (isMeant(one.data.notificationId)) one.close()
  })
