import { useEffect, useId, useRef } from 'preact/hooks'
import { Icon } from '../../parts/show/icon.tsx'
import { minute } from '../../platform/dates.ts'
import { formatNumber } from '../../platform/language.ts'
import { at, path } from '../../platform/router.ts'
import { countOf, waitingIn } from './counts.ts'
import { Finder } from './finder.tsx'
import { addressOf, groups, overview, type Place } from './places.ts'
import { preloadPage } from './routes.ts'
import { recount } from './shared/late-orders.ts'
import { t } from './texts.ts'

function currentOf(place: Place) {
  const address = addressOf(place)
  if (path.value === address) return 'page'
  return place !== overview && path.value.startsWith(`${address}/`) ? 'true' : undefined
}

function Waiting({ place }: { place: Place }) {
  const count = waitingIn(place)
  return count === undefined ? null : (
    <span class="chip numbers" data-kind={place.name === 'webhooks' ? 'danger' : 'warn'}>
      {formatNumber(count)}{' '}
      <span class="unseen">{place.name === 'requests' ? t.forYou : place.name === 'webhooks' ? t.failing : t.late}</span>
    </span>
  )
}

function PlaceLink({ place }: { place: Place }) {
  return (
    <a href={at(addressOf(place))} aria-current={currentOf(place)} onPointerEnter={() => preloadPage(place.path)}>
      <Icon name={place.icon} />
      <span class="grow">{t.names[place.name]}</span>
      <Waiting place={place} />
    </a>
  )
}

/** The places of the administration in groups, with a field that finds its pages and people. */
export function SideList() {
  const id = useId()
  const list = useRef<HTMLElement>(null)
  useEffect(recount, [minute.value])
  useEffect(() => list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' }), [path.value])
  return (
    <nav ref={list} class="desk-list" aria-label={t.places}>
      <Finder />
      <PlaceLink place={overview} />
      {groups.map(({ name, places }) => (
        <div key={name} role="group" aria-labelledby={`${id}-${name}`}>
          <h2 id={`${id}-${name}`}>{t.groups[name]}</h2>
          {places.map((place) => (
            <PlaceLink key={place.path} place={place} />
          ))}
        </div>
      ))}
    </nav>
  )
}

/** The list of places below the overview on narrow pages, with the number of records in each place. */
export function PlaceList() {
  const id = useId()
  useEffect(recount, [minute.value])
  return (
    <nav class="desk-places" aria-label={t.places}>
      <Finder />
      {groups.map(({ name, places }) => (
        <div key={name} role="group" aria-labelledby={`${id}-${name}`}>
          <h2 id={`${id}-${name}`}>{t.groups[name]}</h2>
          <ul class="card">
            {places.map((place) => {
              const count = countOf(place)
              return (
                <li key={place.path}>
                  <a href={at(addressOf(place))}>
                    <Icon name={place.icon} />
                    <span class="grow">{t.names[place.name]}</span>
                    <Waiting place={place} />
                    {count !== undefined && <span class="quiet numbers">{formatNumber(count)}</span>}
                    <Icon name="chevron-right" size={18} />
                  </a>
                </li>
              )
            })}
          </ul>
        </div>
      ))}
    </nav>
  )
}
