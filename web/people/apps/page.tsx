import './style.css'
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { PageProps } from '../../addresses.ts'
import { useTitle } from '../../frame/site.ts'
import { Button } from '../../parts/show/button.tsx'
import { copy } from '../../parts/show/copying.ts'
import { Empty } from '../../parts/show/empty.tsx'
import { Glyph } from '../../parts/show/glyph.tsx'
import { Icon } from '../../parts/show/icon.tsx'
import { Loaded, Skeleton } from '../../parts/show/skeleton.tsx'
import { titleOf } from '../../parts/show/title.ts'
import { ago, present } from '../../platform/ago.ts'
import { inLanguage, isolated, named } from '../../platform/language.ts'
import { at } from '../../platform/router.ts'
import { isAdmin } from '../../platform/session.ts'
import { type App, apps } from '../home/data.ts'
import { grants, lastingGrant, type Offer, offersTo, useRereadAtEnds } from '../my-access/data.ts'
import { t } from './texts.ts'

const SLOW_MS = 6000
const SOON_MS = 3_600_000
/** The sandbox of a framed site: its own scripts and forms, but no navigation of this page. */
const ALLOWED = 'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-downloads allow-modals'

const copyAddress = () => copy(location.href, t.copied)

/**
 * Names the groups through which a person can get access to an app that they may not see; if there are none, advises them to ask an
 * administrator.
 */
function Withheld({ title, of }: { title: string; of: Parameters<typeof offersTo>[0] }) {
  useTitle(title)
  const ways = offersTo(of)
  // Empty if the portal refuses to list the groups.
  const offers = ways.data?.items ?? []
  if (!ways.data && !ways.error) return <Skeleton />
  return (
    <Empty
      icon="lock"
      isPage
      title={title}
      act={
        <>
          {offers.length > 0 && (
            <ul class="app-ways card">
              {offers.map((offer) => (
                <li key={offer.groupId}>
                  <Way offer={offer} />
                </li>
              ))}
            </ul>
          )}
          <div class="app-acts">
            {offers.length === 0 && (
              <Button icon="copy" onClick={copyAddress}>
                {t.copy}
              </Button>
            )}
            <a class="button" data-kind={offers.length === 0 ? 'main' : undefined} href={at('/')}>
              {t.home}
            </a>
          </div>
        </>
      }
    >
      {offers.length > 0 ? t.askHint(offers.length === 1) : t.unknownHint}
    </Empty>
  )
}

/** A group that gives access to the app, with a link to ask to join it or to the pending request. */
function Way({ offer }: { offer: Offer }) {
  const { groupId, state, requestId, noteAr, noteEn } = offer
  const title = titleOf(offer)
  const note = inLanguage(noteAr, noteEn)
  return (
    <>
      <span>
        <b>
          <bdi>{title}</bdi>
        </b>
        {note && (
          <bdi class="quiet small" dir="auto">
            {note}
          </bdi>
        )}
      </span>
      {state === 'pending' ? (
        <a class="link" href={at(`/access/requests/${requestId}`)}>
          {t.pending}
        </a>
      ) : (
        <a class="button" data-kind="main" href={at(`/access/offers?ask=${groupId}`)} aria-label={t.askNamed(isolated(title))}>
          {t.ask}
        </a>
      )}
    </>
  )
}

/** In the last hour of the person's access, says when the app will close, so that they can save their work. */
function EndsSoon({ app }: { app: App }) {
  const grant = isAdmin.value ? undefined : lastingGrant(grants.data ?? [], app.id)
  useRereadAtEnds(grant ? [grant] : [])
  if (!grant?.expiresAt) return null
  if (Date.parse(grant.expiresAt) - present().getTime() > SOON_MS) return null
  return (
    <p class="app-ends" role="status">
      <Icon name="clock" size={18} />
      <span>{t.endsSoon(ago(grant.expiresAt))}</span>
      <a class="link" href={at(`/access/${grant.kind}s/${grant.id}`)}>
        {t.longer}
      </a>
    </p>
  )
}

/** An app in a frame. The page cannot find out whether the site refuses to be framed, so it says what to do if nothing appears. */
function Framed({ app, url }: { app: App; url: string }) {
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
      <EndsSoon app={app} />
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

/** Shown for an app whose address is inside the portal but has no page yet. */
function NotReady({ app }: { app: App }) {
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
  const slug = params['slug']!
  const last = useRef<App | undefined>(undefined)
  return (
    <Loaded of={apps}>
      {(all) => {
        const app = all.find((one) => one.slug === slug)
        const former = last.current?.slug === slug ? last.current : undefined
        last.current = app ?? former
        if (!app && former) return <Withheld title={t.over(named(former))} of={{ appId: former.id }} />
        if (!app) return <Withheld title={t.unknown} of={{ appSlug: slug }} />
        if (app.openMode === 'internal' || !app.externalUrl) return <NotReady app={app} />
        return <Framed key={app.id} app={app} url={app.externalUrl} />
      }}
    </Loaded>
  )
}
