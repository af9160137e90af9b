import { definePalette } from '../frame/palette.ts'
import { inLanguage, named } from '../platform/language.ts'
import { apps, noteOpening } from './data.ts'
import { appIcon } from './glyph.tsx'
import { t } from './texts.ts'

/** The person's apps, by their names in both languages. */
export default definePalette({
  find: async () =>
    (await apps.load()).map((app) => ({
      id: `app ${app.id}`,
      text: named(app),
      words: [app.nameAr, app.nameEn, inLanguage(app.descriptionAr, app.descriptionEn)],
      kind: t.app,
      icon: appIcon(app.iconName),
      ...(app.openMode === 'external_tab'
        ? {}
        : { path: app.openMode === 'external_iframe' ? `/apps/${encodeURIComponent(app.slug)}` : app.route }),
      run: () => {
        noteOpening(app)
        if (app.openMode === 'external_tab' && app.externalUrl) open(app.externalUrl, '_blank', 'noopener,noreferrer')
      },
    })),
})
