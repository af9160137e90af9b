import { pictureAt } from '../../parts/show/avatar.tsx'
import { Icon } from '../../parts/show/icon.tsx'
import { shortDay } from '../../platform/dates.ts'
import { inLanguage, isolated, named } from '../../platform/language.ts'
import { type Category, entryOf, priceOf, type Service } from './data.ts'
import { Due } from './due.tsx'
import { colorOf, iconOf } from './icons.ts'
import { t } from './texts.ts'

/** Why a service cannot be ordered; undefined if it can. */
export function offOf(service: Service) {
  const { isForOthers, isPaused, mayOrderForOthers, until } = entryOf(service)
  if (!service.isAvailable) return { chip: t.unavailable, hint: t.unavailableHint }
  if (isForOthers && !mayOrderForOthers) return { chip: t.forOthers, hint: t.forOthersHint }
  return isPaused ? { chip: until ? t.pausedUntil(shortDay(until)) : t.paused, hint: t.pausedHint } : undefined
}

/** A service of the catalogue. Pressing anywhere on the card opens its form; if the service cannot be ordered, the card says so. */
export function ServiceCard({ service, category, order }: { service: Service; category: Category | undefined; order: () => void }) {
  const name = named(service)
  const about = inLanguage(service.descriptionAr, service.descriptionEn)
  const price = priceOf(service)
  const { notice, team } = entryOf(service)
  const off = offOf(service)
  return (
    <li class="card services-card" data-off={off ? true : undefined}>
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
        {notice && (
          <p class="small services-notice" dir="auto">
            {notice}
          </p>
        )}
        {team && <p class="quiet small">{t.doneBy(isolated(team))}</p>}
        {price && (
          <p class="small services-price">
            <span class="unseen">{t.price}</span> <bdi>{price}</bdi>
          </p>
        )}
        {off ? <span class="chip">{off.chip}</span> : <Due of={service} />}
      </div>
      {!off && (
        <button type="button" class="button services-order" aria-label={t.orderOf(name)} aria-haspopup="dialog" onClick={order}>
          {t.order}
        </button>
      )}
    </li>
  )
}
