import './style.css'
import { useEffect } from 'preact/hooks'
import type { PageProps } from '../../addresses.ts'
import { Chunk, NoPage } from '../../frame/chunk.tsx'
import { useWayBack } from '../../frame/way-back.ts'
import { isWide } from '../../parts/show/wide.ts'
import { path } from '../../platform/router.ts'
import { followAdmins } from './live.ts'
import { addressOf, overview } from './places.ts'
import { findPage } from './routes.ts'
import { PlaceList, SideList } from './side-list.tsx'
import { t } from './texts.ts'

/** On narrow pages, a link in the bar leads back from a place to the list of places. */
function WayBack() {
  useWayBack(addressOf(overview), t.title)
  return null
}

/** The administration. The list of its places is beside the page, or below the overview on narrow screens. */
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
