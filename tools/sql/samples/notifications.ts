import { listNotifications, readNotification } from '../../../server/work/notifications/queries.ts'
import type { Samples } from '../recorder.ts'

export default {
  listNotifications: (db) => listNotifications(db(), 1, { limit: 20, before: 9, unread: true }),
  readNotification: (db) => readNotification(db([{ id: 1 }]), 1, 2),
} satisfies Samples
