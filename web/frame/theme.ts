/** The theme: light, dark or high contrast. It follows the device's setting unless a person has chosen one on this device. */
import { effect, signal } from '@preact/signals'
import { setting } from '../platform/device.ts'

export const themes = ['system', 'light', 'dark', 'contrast'] as const
export type Theme = (typeof themes)[number]
export const themeIcons = { system: 'monitor', light: 'sun', dark: 'moon', contrast: 'contrast' } as const

const kept = setting.read('theme')
export const theme = signal<Theme>(themes.find((one) => one === kept) ?? 'system')

const contrast = matchMedia('(prefers-contrast: more)')
const asked = signal(contrast.matches)
contrast.onchange = () => {
  asked.value = contrast.matches
}

effect(() => {
  const chosen = theme.value === 'system' ? asked.value && 'contrast' : theme.value
  setting.write('theme', theme.value === 'system' ? null : theme.value)
  if (chosen) document.documentElement.dataset['theme'] = chosen
  else delete document.documentElement.dataset['theme']
})
