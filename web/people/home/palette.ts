import { definePalette, type Finding } from '../../frame/palette.ts'
import { appIcon } from '../../parts/show/glyph.tsx'
import { inLanguage, named } from '../../platform/language.ts'
import { type App, apps, noteOpening } from './data.ts'

/** The person's apps, found by their names in both languages. */
export default definePalette({
  find: () => {
    const proposed = (all: App[]): Finding[] =>
      all.map((app) => ({
        id: `app ${app.id}`,
        group: 'apps',
        text: named(app),
        words: [app.nameAr, app.nameEn, inLanguage(app.descriptionAr, app.descriptionEn)],
        icon: appIcon(app.iconName),
        color: app.color,
        ...(app.openMode === 'external_tab'
          ? {}
          : { path: app.openMode === 'external_iframe' ? `/apps/${encodeURIComponent(app.slug)}` : app.route }),
        run: () => {
          noteOpening(app)
          if (app.openMode === 'external_tab' && app.externalUrl) open(app.externalUrl, '_blank', 'noopener,noreferrer')
        },
      }))
    const known = apps.peek()
    return known ? proposed(known) : apps.load().then(proposed)
  },
})
