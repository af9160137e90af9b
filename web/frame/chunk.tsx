/** Renders a room, a desk or a page of a desk, each a chunk that is loaded when first entered. */
import { signal } from '@preact/signals'
import { Component, type ComponentChildren, type ComponentType } from 'preact'
import { useEffect, useLayoutEffect } from 'preact/hooks'
import type { PageProps } from '../addresses.ts'
import { Skeleton } from '../parts/show/skeleton.tsx'
import { arrived } from '../platform/router.ts'
import { Broken, Newer, NoConnection } from './messages.tsx'
import type { Why } from './no-page.tsx'
import { checkVersion, isOlder } from './version.ts'

export type Load = () => Promise<{ default: ComponentType<PageProps> }>

const loaded = signal<ReadonlyMap<Load, ComponentType<PageProps>>>(new Map())
const failed = signal<Load | undefined>(undefined)

async function enter(load: Load) {
  failed.value = undefined
  try {
    const { default: Page } = await load()
    loaded.value = new Map(loaded.value).set(load, Page)
  } catch {
    await checkVersion()
    failed.value = load
  }
}

export function preloadChunk(load: Load) {
  if (!loaded.peek().has(load)) enter(load)
}

/** The `main` element between the bar and the footer. Restores the scroll position and the focus when `drawn` changes. */
export function Main({ drawn, children }: { drawn: string; children: ComponentChildren }) {
  useLayoutEffect(arrived, [drawn])
  return (
    <main id="main" tabIndex={-1}>
      {children}
    </main>
  )
}

class Boundary extends Component<{ address: string; children: ComponentChildren }, { failed?: string | undefined }> {
  override state: { failed?: string | undefined } = {}
  override componentDidCatch(failure: unknown) {
    console.error(failure)
    this.setState({ failed: this.props.address })
  }
  override componentDidUpdate() {
    // A visit to a different address tries again.
    if (this.state.failed !== undefined && this.state.failed !== this.props.address) this.setState({ failed: undefined })
  }
  override render() {
    const { address, children } = this.props
    if (this.state.failed !== address) return children
    return (
      <Main drawn={`${address} broken`}>
        <Broken />
      </Main>
    )
  }
}

interface ChunkProps {
  load: Load
  params: Record<string, string>
  /** The address that the chunk renders. */
  address: string
  /** Whether the chunk is a desk, which renders `Main` for its pages itself. */
  isDesk?: boolean
}

const noPage = () => import('./no-page.tsx')
/** Says why there is no page at an address. */
export const NoPage = ({ why, address }: { why: Why; address: string }) => <Chunk load={noPage} params={{ why }} address={address} />

/** Renders a chunk, a skeleton until it is loaded, or a message if it cannot be loaded. */
export function Chunk({ load, params, address, isDesk }: ChunkProps) {
  const Page = loaded.value.get(load)
  useEffect(() => {
    if (!Page) enter(load)
  }, [load])
  const draw = () => {
    if (failed.value === load) return isOlder.value ? <Newer /> : <NoConnection retry={() => enter(load)} />
    return Page ? <Page params={params} /> : <Skeleton />
  }
  return <Boundary address={address}>{isDesk && Page ? draw() : <Main drawn={`${address} ${Page ? 'here' : ''}`}>{draw()}</Main>}</Boundary>
}
