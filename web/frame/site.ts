/** The organisation's own words: the portal's name, its footer, and the title of the page in force. */
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

/** Names the page in the browser's tab and history; each page calls it. */
export function useTitle(text: string) {
  useEffect(() => {
    title.value = text
  }, [text])
}

/** The addresses above a page. On a narrow page, the bar links to the last one in place of the portal's name. */
export const ways = signal<readonly { path: string; text: string }[]>([])
