import { signal } from '@preact/signals'

const media = matchMedia('(min-width: 60.01rem)')
/** Whether the window is wide enough for panels side by side and for the navigation in the bar. */
export const isWide = signal(media.matches)
media.addEventListener('change', () => {
  isWide.value = media.matches
})
