import type { PageProps } from '../../addresses.ts'
import { Chunk, NoPage } from '../../frame/chunk.tsx'
import { path } from '../../platform/router.ts'
import { findPage } from './routes.ts'

/** The reviews in which a person judges. Administrators also open these pages inside the administration. */
export default function Desk({ params: { rest = '' } }: PageProps) {
  const found = findPage(rest)
  const address = path.value
  return found ? <Chunk load={found.load} params={found.params} address={address} /> : <NoPage why="notFound" address={address} />
}
