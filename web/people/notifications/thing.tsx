import { attempt } from '../../parts/show/failures.ts'
import { Icon } from '../../parts/show/icon.tsx'
import type { Schemas } from '../../platform/client.ts'
import { at } from '../../platform/router.ts'
import { Answer } from './answers.tsx'
import { type Notification, readOne } from './data.ts'
import { isRead } from './holding.ts'
import { t } from './texts.ts'
import { NotificationContent } from './told.tsx'

/** The page of each type of record. It must equal the list in `server/work/push/rules.ts`. */
const pages: Record<Schemas['RelatedType'], string> = {
  order: '/orders',
  note: '/notes',
  meeting: '/meetings',
  meeting_request: '/meetings/requests',
  meeting_task: '/meetings/tasks',
  user: '/admin/users',
  group: '/access/groups',
  role: '/access/roles',
  access_request: '/access/requests',
  access_review: '/reviews',
}

/** The address that a notification links to; falsy if there is none. */
const pathOf = ({ relatedType, relatedId }: Notification) => relatedType && relatedId && `${pages[relatedType]}/${relatedId}`

/** The notifications about one subject, newest first, with the action that they offer. */
export function Thing({ group, leave }: { group: Notification[]; leave?: () => void }) {
  const newest = group[0]!
  const unread = group.filter((one) => !isRead(one))
  const read = () => {
    for (const one of unread) attempt(readOne(one))
  }
  const leads = pathOf(newest)
  // People who can open the meeting join from its page instead.
  const online = !leads && newest.joinUrl
  const inside = (
    <NotificationContent one={newest} isUnread={unread.length > 0}>
      {group.length > 1 && <span class="quiet small">{t.earlier(group.length - 1)}</span>}
    </NotificationContent>
  )
  return (
    <li class="notification" data-thing={newest.id} data-unread={unread.length > 0 || undefined}>
      {leads ? (
        <a
          href={at(leads)}
          onClick={() => {
            read()
            leave?.()
          }}
        >
          {inside}
        </a>
      ) : (
        <button type="button" onClick={read}>
          {inside}
        </button>
      )}
      {online && (
        <a class="button notifications-join" href={online} target="_blank" rel="noopener noreferrer" onClick={read}>
          <Icon name="video" />
          {t.join}
        </a>
      )}
      <Answer type={newest.relatedType} id={newest.relatedId} answered={read} />
    </li>
  )
}
