import type { ComponentChildren, VNode } from 'preact'
import { Icon, type IconName } from './icon.tsx'

interface EmptyProps {
  icon: IconName | VNode
  title: string
  children?: ComponentChildren
  act?: ComponentChildren
  isPage?: boolean
}

/** Explains an empty place and offers the first step. With `isPage` it is the whole page, and its title is the page’s heading. */
export function Empty({ icon, title, children, act, isPage = false }: EmptyProps) {
  return (
    <div class="empty">
      <span class="empty-icon">{typeof icon === 'string' ? <Icon name={icon} size={28} /> : icon}</span>
      {isPage ? <h1>{title}</h1> : <p class="empty-title">{title}</p>}
      {children && <p class="quiet">{children}</p>}
      {act}
    </div>
  )
}
