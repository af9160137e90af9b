import { pictureAt } from '../parts/avatar.tsx'
import { Button } from '../parts/button.tsx'
import { inLanguage, named } from '../platform/language.ts'
import type { Service } from './data.ts'
import { t } from './texts.ts'

/** A service of the catalogue; one that is not available says so and cannot be ordered. */
export function ServiceCard({ service, order }: { service: Service; order: () => void }) {
  const name = named(service)
  const about = inLanguage(service.descriptionAr, service.descriptionEn)
  return (
    <li class="card services-card" data-off={!service.isAvailable || undefined}>
      {service.imageUrl && <img src={pictureAt(service.imageUrl)} alt="" width={48} height={48} loading="lazy" />}
      <div class="services-about">
        <h3>
          <bdi>{name}</bdi>
        </h3>
        {about && (
          <p class="quiet small" dir="auto">
            {about}
          </p>
        )}
        {service.price && (
          <p class="quiet small">
            {t.price} <bdi>{service.price}</bdi>
          </p>
        )}
      </div>
      {service.isAvailable ? (
        <Button aria-label={t.orderOf(name)} aria-haspopup="dialog" onClick={order}>
          {t.order}
        </Button>
      ) : (
        <span class="chip">{t.unavailable}</span>
      )}
    </li>
  )
}
