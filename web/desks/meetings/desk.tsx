import './style.css'
import type { PageProps } from '../../addresses.ts'
import { Chunk, NoPage } from '../../frame/chunk.tsx'
import { path } from '../../platform/router.ts'
import { Places } from './place-tabs.tsx'
import { findPage } from './routes.ts'

/** The frame of the executive's meetings: the tabs of its places above the page. */
export default function Desk({ params: { rest = '' } }: PageProps) {
  const found = findPage(rest)
  const address = path.value
  return (
    <div class="office">
      {!rest.endsWith('/wall') && <Places rest={rest} />}
      {found ? <Chunk load={found.load} params={found.params} address={address} /> : <NoPage why="notFound" address={address} />}
    </div>
  )
}
