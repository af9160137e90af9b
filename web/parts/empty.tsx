import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icon.tsx'

/** What a place is for while nothing is in it, with the first step. */
export function Empty({
  icon,
  title,
  children,
  act,
}: {
  icon: IconName
  title: string
  children?: ComponentChildren
  act?: ComponentChildren
}) {
  return (
    <div class="empty">
      <span class="empty-icon">
        <Icon name={icon} size={28} />
      </span>
      <p class="empty-title">{title}</p>
      {children && <p class="quiet">{children}</p>}
      {act}
    </div>
  )
}
