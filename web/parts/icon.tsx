import { icons, mirrored } from './icons.ts'

export type IconName = keyof typeof icons

/** A drawing beside a text, which assistive technology skips. An unknown name, such as one an administrator typed, draws a grid. */
export function Icon({ name, size = 20 }: { name: IconName | (string & {}); size?: number }) {
  const known = name in icons ? (name as IconName) : 'layout-grid'
  return (
    <svg class={mirrored.has(known) ? 'icon mirrored' : 'icon'} width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <path d={icons[known]} />
    </svg>
  )
}
