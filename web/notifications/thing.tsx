import { attempt } from '../parts/failures.ts'
import { at } from '../platform/router.ts'
import { Answer } from './answers.tsx'
import { type Notification, pathOf, readOne } from './data.ts'
import { isRead } from './holding.ts'
import { t } from './texts.ts'
import { Told } from './told.tsx'

/** What was told of one thing, the newest of it first, and what can be done about it. */
export function Thing({ told, leave }: { told: Notification[]; leave?: () => void }) {
  const newest = told[0]!
  const unread = told.filter((one) => !isRead(one))
  const read = () => {
    for (const one of unread) attempt(readOne(one))
  }
  const leads = pathOf(newest)
  const inside = (
    <Told one={newest} isUnread={unread.length > 0}>
      {told.length > 1 && <span class="quiet small">{t.earlier(told.length - 1)}</span>}
    </Told>
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
      <Answer type={newest.relatedType} id={newest.relatedId} answered={read} />
    </li>
  )
}
