/** Renders the room of the current address, if the person may open it. */
import { useEffect } from 'preact/hooks'
import { Loaded, Skeleton } from '../parts/show/skeleton.tsx'
import { go, path, queryValue } from '../platform/router.ts'
import { isSignedIn, isSignedOut, rights } from '../platform/session.ts'
import { findRoute } from '../routes.ts'
import { Chunk, Main, NoPage, preloadChunk } from './chunk.tsx'
import { mayOpen } from './places.ts'

/** Preloads a room that is public or that the person may enter. */
export function preload(address: string) {
  const found = findRoute(address.split('?')[0]!)
  if (found && mayOpen(found.audience)) preloadChunk(found.load)
}

/** The address that a person without a session wanted to open. */
export const wanted = () => {
  const next = queryValue('next')
  const found = next.startsWith('/') ? findRoute(next.split('?')[0]!) : undefined
  return found && found.audience !== 'anyone' ? next : '/'
}

/** Renders the room of the address, or the reason why there is none. */
export function Room() {
  const address = path.value
  const found = findRoute(address)
  const isPublic = found?.audience === 'anyone'
  useEffect(() => {
    if (isSignedOut.value && found && !isPublic) {
      const here = address + location.search
      go(here === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(here)}`, { replace: true })
    } else if (isSignedIn.value && address.startsWith('/sign-in')) go(wanted(), { replace: true })
  }, [isSignedIn.value, isSignedOut.value, address])

  if (!found) return <NoPage why="notFound" address={address} />
  const may = isPublic || (isSignedIn.value ? mayOpen(found.audience) : undefined)
  // The right is checked before any part of the room is loaded.
  if (may === undefined) return <Main drawn={address}>{isSignedIn.value ? <Loaded of={rights}>{() => null}</Loaded> : <Skeleton />}</Main>
  if (!may) return <NoPage why="notAllowed" address={address} />
  return <Chunk load={found.load} params={found.params} address={address} isDesk={'rest' in found.params} />
}
