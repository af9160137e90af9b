import './style.css'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { PageProps } from '../addresses.ts'
import { useTitle } from '../frame/site.ts'
import { apps } from '../home/data.ts'
import { Button } from '../parts/button.tsx'
import { Empty } from '../parts/empty.tsx'
import { Glyph } from '../parts/glyph.tsx'
import { Loaded } from '../parts/skeleton.tsx'
import { say } from '../parts/toasts.tsx'
import type { Schemas } from '../platform/client.ts'
import { named } from '../platform/language.ts'
import { at } from '../platform/router.ts'
import { isAdmin } from '../platform/session.ts'
import { t } from './texts.ts'

const SLOW_MS = 6000
/** The sandbox of a framed site: its own scripts and forms, but no navigation of this page. */
const ALLOWED = 'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-downloads allow-modals'

const copyAddress = () => navigator.clipboard.writeText(location.href).then(() => say({ text: t.copied }))

function Unknown() {
  useTitle(t.unknown)
  return (
    <Empty
      icon="lock"
      isPage
      title={t.unknown}
      act={
        <div class="app-acts">
          {navigator.clipboard && (
            <Button icon="copy" onClick={copyAddress}>
              {t.copy}
            </Button>
          )}
          <a class="button" data-kind="main" href={at('/')}>
            {t.home}
          </a>
        </div>
      }
    >
      {t.unknownHint}
    </Empty>
  )
}

/** A page cannot find out whether a site refuses to be framed, so it says what to do if nothing appears. */
function Framed({ app, url }: { app: Schemas['AppInLauncher']; url: string }) {
  const name = named(app)
  useTitle(name)
  const state = useSignal<'loading' | 'slow' | 'there'>('loading')
  const isBarred = location.protocol === 'https:' && url.startsWith('http:')
  useEffect(() => {
    const timer = setTimeout(() => {
      if (state.value === 'loading') state.value = 'slow'
    }, SLOW_MS)
    return () => clearTimeout(timer)
  }, [url])
  const hint = isBarred ? t.insecure : state.value === 'slow' ? t.slow : undefined
  return (
    <div class="app-view">
      <div class="app-head">
        <h1>{name}</h1>
        <a class="app-away quiet" href={url} target="_blank" rel="noopener noreferrer">
          {t.notShown} <span class="link">{t.newTab}</span>
        </a>
      </div>
      <div class="app-hint" role="status">
        {hint}
      </div>
      {!isBarred && (
        <iframe
          class="app-frame"
          title={t.frame(name)}
          src={url}
          sandbox={ALLOWED}
          referrerpolicy="strict-origin-when-cross-origin"
          allow="fullscreen; clipboard-write"
          onLoad={() => {
            state.value = 'there'
          }}
        />
      )}
    </div>
  )
}

/** A place inside the portal that has no page yet. */
function NotReady({ app }: { app: Schemas['AppInLauncher'] }) {
  const title = t.empty(named(app))
  useTitle(title)
  return (
    <Empty
      icon={<Glyph app={app} size={28} />}
      title={title}
      isPage
      act={
        <div class="app-acts">
          {isAdmin.value && (
            <a class="button" href={at(`/admin/apps/${app.id}`)}>
              {t.edit}
            </a>
          )}
          <a class="button" data-kind="main" href={at('/')}>
            {t.home}
          </a>
        </div>
      }
    >
      {t.emptyHint}
    </Empty>
  )
}

/** An app that is shown inside the portal. */
export default function AppPage({ params }: PageProps) {
  return (
    <Loaded of={apps}>
      {(all) => {
        const app = all.find(({ slug }) => slug === params['slug'])
        if (!app) return <Unknown />
        if (app.openMode === 'internal' || !app.externalUrl) return <NotReady app={app} />
        return <Framed key={app.id} app={app} url={app.externalUrl} />
      }}
    </Loaded>
  )
}
