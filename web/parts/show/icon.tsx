import sprite from 'virtual:icons'
import type { appIcons } from './app-icons.ts'
import type { icons } from './icons.ts'
import { mirrored } from './mirrored.ts'

export type IconName = keyof typeof icons | keyof typeof appIcons

/** A decorative icon, which screen readers skip. `size` is in px at the usual font size, and scales with it. */
export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return (
    <svg
      class={mirrored.has(name) ? 'icon mirrored' : 'icon'}
      width={`${size / 16}rem`}
      height={`${size / 16}rem`}
      viewBox="0 0 24 24"
      aria-hidden="true"
    >
      <use href={`${sprite}#${name}`} />
    </svg>
  )
}
