/** Marks the notifications about a person as read, except requests for a link, which the overview lists while they are unread. */
import { useEffect } from 'preact/hooks'
import { type Notification, readOne } from '../../../people/notifications/data.ts'
import { answer, api } from '../../../platform/client.ts'
import { onEvent } from '../../../platform/live.ts'
import { asksForLink } from '../shared/asks-for-link.ts'

export function useReadAboutPerson(id: number) {
  useEffect(() => {
    const mark = (some: Notification[]) => {
      for (const one of some)
        if (one.relatedType === 'user' && one.relatedId === id && !one.isRead && !asksForLink(one)) readOne(one).catch(() => {})
    }
    // Bypasses the cache, which may lack the newest notifications.
    answer(api.GET('/notifications', { params: { query: { limit: 500, unread: true } } })).then(mark, () => {})
    return onEvent('notification_created', ({ notification }) => mark([notification]))
  }, [id])
}
