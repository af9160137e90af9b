import './style.css'
import { useEffect } from 'preact/hooks'
import type { PageProps } from '../addresses.ts'
import { Chunk, NoPage } from '../frame/chunk.tsx'
import { useWayBack } from '../frame/way-back.ts'
import { isWide } from '../parts/wide.ts'
import { path } from '../platform/router.ts'
import { followAdmins } from './live.ts'
import { addressOf, overview } from './places.ts'
import { findPage } from './routes.ts'
import { PlaceList, SideList } from './side-list.tsx'
import { t } from './texts.ts'

/** In a place, the bar of a narrow page leads back to the list of all. */
function WayBack() {
  useWayBack(addressOf(overview), t.title)
  return null
}

/** The administration: the list of its places beside the page, or where there is no room for both, under the first. */
export default function Desk({ params: { rest = '' } }: PageProps) {
  const found = findPage(rest)
  const address = path.value
  useEffect(followAdmins, [])
  return (
    <div class="desk">
      {isWide.value && <SideList />}
      {rest !== '' && <WayBack />}
      {found ? <Chunk load={found.load} params={found.params} address={address} /> : <NoPage why="notFound" address={address} />}
      {!isWide.value && rest === '' && <PlaceList />}
    </div>
  )
}
