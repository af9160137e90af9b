import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Icon, type IconName } from '../../parts/show/icon.tsx'

/** A message that replaces a form after success. Its heading gets the focus. */
export function Done({ icon, title, hint, children }: { icon: IconName; title: string; hint: string; children: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <div class="door-form door-done">
      <span class="empty-icon">
        <Icon name={icon} size={28} />
      </span>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      <p class="quiet">{hint}</p>
      {children}
    </div>
  )
}
