/** The room of the address in force, loaded when first entered. */
import { signal } from '@preact/signals'
import { Component, type ComponentChildren, type ComponentType } from 'preact'
import { useEffect, useLayoutEffect } from 'preact/hooks'
import { Skeleton } from '../parts/skeleton.tsx'
import { arrived, go, path, queryValue } from '../platform/router.ts'
import { isSignedIn, isSignedOut } from '../platform/session.ts'
import { findRoute, type PageProps } from '../routes.ts'
import { Broken, Newer, NoConnection, NotAllowed, NotBuilt, NotFound } from './messages.tsx'
import { isWithin, sections } from './places.ts'
import { checkVersion, isOlder } from './version.ts'

const loaded = signal<ReadonlyMap<string, ComponentType<PageProps>>>(new Map())
const failed = signal<string | undefined>(undefined)

async function load(room: string, page: () => Promise<{ default: ComponentType<PageProps> }>) {
  failed.value = undefined
  try {
    const { default: Page } = await page()
    loaded.value = new Map(loaded.value).set(room, Page)
  } catch {
    await checkVersion()
    failed.value = room
  }
}

/** Loads a room before it is entered. */
export function preload(address: string) {
  const found = findRoute(address.split('?')[0]!)
  if (found?.load && !loaded.peek().has(found.room)) load(found.room, found.load)
}

/** Where whoever is not signed in wanted to go. */
export const wanted = () => {
  const next = queryValue('next')
  const found = next.startsWith('/') ? findRoute(next.split('?')[0]!) : undefined
  return found && !found.isPublic ? next : '/'
}

class Boundary extends Component<{ address: string; children: ComponentChildren }, { failed?: string }> {
  override state: { failed?: string } = {}
  override componentDidCatch(failure: unknown) {
    console.error(failure)
    this.setState({ failed: this.props.address })
  }
  override render() {
    return this.state.failed === this.props.address ? <Broken /> : this.props.children
  }
}

function Arrival({ address, children }: { address: string; children: ComponentChildren }) {
  useLayoutEffect(arrived, [address])
  return <>{children}</>
}

/** Draws the room of the address, or why there is none. */
export function Room() {
  const address = path.value
  const found = findRoute(address)
  const Page = found && loaded.value.get(found.room)
  const isOpen = found && (found.isPublic || isSignedIn.value)
  useEffect(() => {
    if (found?.load && !Page && isOpen) load(found.room, found.load)
  }, [found?.room, isOpen])
  useEffect(() => {
    if (isSignedOut.value && found && !found.isPublic) {
      const here = address + location.search
      go(here === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(here)}`, { replace: true })
    } else if (isSignedIn.value && address === '/sign-in') go(wanted(), { replace: true })
  }, [isSignedIn.value, isSignedOut.value, address])

  const draw = () => {
    if (!found) return <NotFound />
    if (!isOpen) return <Skeleton />
    if (!found.load) return sections.some((one) => isWithin(address, one) && !one.isFor()) ? <NotAllowed /> : <NotBuilt />
    if (failed.value === found.room && isOlder.value) return <Newer />
    if (failed.value === found.room) return <NoConnection retry={() => found.load && load(found.room, found.load)} />
    return Page ? <Page params={found.params} /> : <Skeleton />
  }
  return (
    <Boundary address={address}>
      <Arrival address={`${address} ${Page ? 'here' : ''}`}>{draw()}</Arrival>
    </Boundary>
  )
}
