import { Glyph } from '../../../parts/show/glyph.tsx'
import type { Fields } from './data.ts'
import { t } from './texts.ts'

type Shown = Pick<Fields, 'nameAr' | 'nameEn' | 'iconName' | 'color'> & { imageUrl: string | null }

/** The icon of an app as the home page shows it. */
export const AppGlyph = ({ app }: { app: Pick<Shown, 'iconName' | 'imageUrl' | 'color'> }) => (
  <span class="desk-app-glyph" style={{ '--color': app.color }} data-picture={app.imageUrl ? '' : undefined}>
    <Glyph app={app} />
  </span>
)

/** The tile as people will see it, in light and dark and in both languages. */
export function LiveTile({ app }: { app: Shown }) {
  return (
    <figure class="desk-app-live">
      <figcaption class="quiet small">{t.preview}</figcaption>
      {(['light', 'dark'] as const).map((scheme) => (
        <div key={scheme} data-scheme={scheme}>
          {(['ar', 'en'] as const).map((language) => (
            <div key={language} class="desk-app-tile" lang={language} dir={language === 'ar' ? 'rtl' : 'ltr'}>
              <AppGlyph app={app} />
              <span>{(language === 'ar' ? app.nameAr : app.nameEn) || t.unnamed}</span>
            </div>
          ))}
        </div>
      ))}
    </figure>
  )
}
