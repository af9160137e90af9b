import { pictureAt } from '../parts/avatar.tsx'
import { Icon } from '../parts/icon.tsx'
import { inLanguage, named } from '../platform/language.ts'
import { type Category, priceOf, type Service } from './data.ts'
import { colorOf, iconOf } from './icons.ts'
import { t } from './texts.ts'

/** A service of the catalogue. Pressing anywhere on the card orders it; an unavailable one says so. */
export function ServiceCard({ service, category, order }: { service: Service; category: Category | undefined; order: () => void }) {
  const name = named(service)
  const about = inLanguage(service.descriptionAr, service.descriptionEn)
  const price = priceOf(service)
  return (
    <li class="card services-card" data-off={!service.isAvailable || undefined}>
      {service.imageUrl ? (
        <img src={pictureAt(service.imageUrl)} alt="" width={48} height={48} loading="lazy" />
      ) : (
        <span class="services-glyph" style={{ '--color': colorOf(service.categoryId) }}>
          <Icon name={iconOf(service, category)} size={24} />
        </span>
      )}
      <div class="services-about">
        <h3>
          <bdi>{name}</bdi>
        </h3>
        {about && (
          <p class="quiet small" dir="auto">
            {about}
          </p>
        )}
        {price && (
          <p class="small services-price">
            <span class="unseen">{t.price}</span> <bdi>{price}</bdi>
          </p>
        )}
      </div>
      {service.isAvailable ? (
        <button type="button" class="button services-order" aria-label={t.orderOf(name)} aria-haspopup="dialog" onClick={order}>
          {t.order}
        </button>
      ) : (
        <span class="chip">{t.unavailable}</span>
      )}
    </li>
  )
}
