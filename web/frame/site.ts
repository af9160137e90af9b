/** The texts of the organisation, such as the portal's name and its footer, and the title of the open page. */
import { computed, effect, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { resource } from '../platform/cache.ts'
import { inLanguage } from '../platform/language.ts'
import { t } from './texts.ts'

export const settings = resource('/settings')
export const siteName = computed(() => inLanguage(settings.data?.siteNameAr, settings.data?.siteNameEn) || t.portal)
export const footer = computed(() => inLanguage(settings.data?.footerTextAr, settings.data?.footerTextEn))

const title = signal('')
effect(() => {
  document.title = title.value ? `${title.value} · ${siteName.value}` : siteName.value
})

/** Sets the title of the page in the browser's tab and history. Every page must call it. */
export function useTitle(text: string) {
  useEffect(() => {
    title.value = text
  }, [text])
}

/**
 * The addresses of the pages above the open page. On a narrow screen, the bar links to the last of them instead of showing the portal's
 * name.
 */
export const ways = signal<readonly { path: string; text: string }[]>([])
