import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from '../parts/icon.tsx'
import { ago, exactly } from '../platform/dates.ts'
import { inLanguage } from '../platform/language.ts'
import type { Notification } from './data.ts'
import { t } from './texts.ts'

const icons: Record<Notification['type'], IconName> = {
  order: 'clipboard-list',
  note: 'sticky-note',
  meeting: 'calendar',
  system: 'shield',
}

/** What a notification says, and since when; `children` below it. */
export function Told({ one, isUnread, children }: { one: Notification; isUnread: boolean; children?: ComponentChildren }) {
  const body = inLanguage(one.bodyAr, one.bodyEn)
  return (
    <>
      <Icon name={icons[one.type]} size={22} />
      <span class="notification-text">
        <bdi>{inLanguage(one.titleAr, one.titleEn)}</bdi>
        {body && <bdi class="quiet small">{body}</bdi>}
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
