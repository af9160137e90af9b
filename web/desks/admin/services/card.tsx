import { pictureAt } from '../../../parts/show/avatar.tsx'
import { Icon } from '../../../parts/show/icon.tsx'
import { inLanguage } from '../../../platform/language.ts'
import { type Category, colorOf, iconOf, priceOf } from './data.ts'
import { t } from './texts.ts'

export interface Shown {
  nameAr: string
  nameEn: string
  descriptionAr: string | null
  descriptionEn: string | null
  imageUrl: string | null
  price: string | null
  isAvailable: boolean
}

/** The picture of a service, or its glyph from the catalogue. */
export const ServiceGlyph = ({ of, category }: { of: Shown; category: Category | undefined }) =>
  of.imageUrl ? (
    <img class="desk-service-glyph" src={pictureAt(of.imageUrl)} alt="" width={40} height={40} loading="lazy" />
  ) : (
    <span class="desk-service-glyph" style={{ '--color': colorOf(category?.id ?? null) }}>
      <Icon name={iconOf(of, category)} />
    </span>
  )

/** A service as in the catalogue, without the order button. */
export function Card({ of, category }: { of: Shown; category: Category | undefined }) {
  const about = inLanguage(of.descriptionAr, of.descriptionEn)
  const price = priceOf(of)
  return (
    <div class="card desk-service" data-off={!of.isAvailable || undefined}>
      <ServiceGlyph of={of} category={category} />
      <div>
        <strong>
          <bdi>{inLanguage(of.nameAr, of.nameEn) || t.unnamed}</bdi>
        </strong>
        {about && (
          <p class="quiet small" dir="auto">
            {about}
          </p>
        )}
        {price && (
          <p class="small">
            <bdi>{price}</bdi>
          </p>
        )}
      </div>
      {!of.isAvailable && <span class="chip">{t.unavailable}</span>}
    </div>
  )
}
