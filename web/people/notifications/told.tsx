import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from '../../parts/show/icon.tsx'
import { ago } from '../../platform/ago.ts'
import { exactly } from '../../platform/dates.ts'
import { inLanguage } from '../../platform/language.ts'
import type { Notification } from './data.ts'
import { t } from './texts.ts'

const icons: Record<Notification['type'], IconName> = {
  order: 'clipboard-list',
  note: 'sticky-note',
  meeting: 'calendar',
  system: 'shield',
}
/** Icons by the subject of messages from the portal itself. */
const subjects: Partial<Record<NonNullable<Notification['relatedType']>, IconName>> = {
  access_request: 'key-round',
  group: 'clock',
  role: 'clock',
}
/** Icons by kind of event; only the title of a notification names the event. */
const events: [RegExp, IconName][] = [
  [/cancel/i, 'circle-x'],
  [/complete/i, 'circle-check'],
  [/prepar/i, 'package'],
  [/restored|waiting again/i, 'undo-2'],
  [/claimed|received|handed|assigned/i, 'hand'],
  [/repl(y|ied)/i, 'reply'],
]
const iconOf = ({ type, titleEn, relatedType }: Notification) =>
  (type === 'order' || type === 'note' ? events.find(([title]) => title.test(titleEn))?.[1] : relatedType && subjects[relatedType]) ??
  icons[type]

/** The quoted part of a sentence: the name of the thing that the sentence is about. */
const thingIn = (sentence: string) => /«(.+?)»|“(.+?)”/.exec(sentence)?.slice(1).find(Boolean)

/** The subject of a notification, what happened, and when; `children` below it. */
export function NotificationContent({ one, isUnread, children }: { one: Notification; isUnread: boolean; children?: ComponentChildren }) {
  const body = inLanguage(one.bodyAr, one.bodyEn)
  const thing = thingIn(body)
  return (
    <>
      <Icon name={iconOf(one)} size={22} />
      <span class="notification-text">
        {thing ? <bdi>{thing}</bdi> : <span>{inLanguage(one.titleAr, one.titleEn)}</span>}
        {/* A sentence of the portal has the direction of the page, even if a name in the other direction begins it. */}
        {body && <span class="quiet small">{body}</span>}
        {children}
      </span>
      <time class="quiet small" dateTime={one.createdAt} title={exactly(one.createdAt)}>
        {ago(one.createdAt)}
      </time>
      {isUnread && (
        <span class="notification-dot">
          <span class="unseen">{t.isUnread}</span>
        </span>
      )}
    </>
  )
}
