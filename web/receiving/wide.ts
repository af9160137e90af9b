import { signal } from '@preact/signals'

const media = matchMedia('(min-width: 60.01rem)')
/** Whether the columns stand side by side. */
export const isWide = signal(media.matches)
media.addEventListener('change', () => {
  isWide.value = media.matches
})
