import { useEnds } from '../../parts/show/tabs.tsx'
import { formatNumber } from '../../platform/language.ts'
import { at } from '../../platform/router.ts'
import { addressOf, isIn, myPlaces } from './places.ts'
import { preloadPage } from './routes.ts'
import { t } from './texts.ts'

/** The tabs of the places, which are links; `rest` is the current address below `/meetings`. */
export function Places({ rest }: { rest: string }) {
  const places = myPlaces().map((place) => ({ place, count: place.count?.(), address: addressOf(place, rest), isHere: isIn(place, rest) }))
  const row = useEnds<HTMLElement>(places.map(({ place, count, isHere }) => [place.path, count, isHere].join()).join(';'))
  return (
    <nav ref={row} class="tabs office-places" aria-label={t.places} hidden={places.length === 0}>
      {places.map(({ place, count, address, isHere }) => (
        <a key={place.path} href={at(address)} aria-current={isHere ? 'page' : undefined} onPointerEnter={() => preloadPage(place.path)}>
          {t.names[place.name]}
          {count ? (
            <span class="chip numbers" data-kind={place.name === 'requests' ? 'warn' : undefined}>
              {formatNumber(count)} <span class="unseen">{t.counts[place.name === 'requests' ? 'waiting' : 'open']}</span>
            </span>
          ) : null}
        </a>
      ))}
    </nav>
  )
}
