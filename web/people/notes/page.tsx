import './style.css'
import { useEffect } from 'preact/hooks'
import type { PageProps } from '../../addresses.ts'
import { useTitle } from '../../frame/site.ts'
import { lazily } from '../../parts/show/lazily.tsx'
import { formatNumber } from '../../platform/language.ts'
import { at, path } from '../../platform/router.ts'
import { Board } from './board.tsx'
import { counted } from './counts.ts'
import { receivedOf } from './data.ts'
import { t } from './texts.ts'

const NotePage = lazily(async () => (await import('./note.tsx')).NotePage)
const ReceivedList = lazily(async () => (await import('./received.tsx')).ReceivedList)
const SentList = lazily(async () => (await import('./sent.tsx')).SentList)

function Part({ to, text, count = 0 }: { to: string; text: string; count?: number }) {
  return (
    <a href={at(to)} aria-current={path.value === to ? 'page' : undefined}>
      {text}
      {count > 0 && (
        <span class="chip" data-kind="on">
          <span aria-hidden="true">{formatNumber(count)}</span>
          <span class="unseen">{counted.unread(count)}</span>
        </span>
      )}
    </a>
  )
}

export default function Notes({ params }: PageProps) {
  if (params['id']) return <NotePage key={params['id']} id={Number(params['id'])} />
  return <Lists />
}

function Lists() {
  const here = path.value
  // Load the page of a note now: the person may open one later without a connection.
  useEffect(() => void import('./note.tsx').catch(() => {}), [])
  const unread = receivedOf('active', '', 0).data?.filter(({ status }) => status === 'unread').length ?? 0
  useTitle(here === '/notes/received' ? t.received : here === '/notes/sent' ? t.sent : t.title)
  return (
    <>
      <div class="notes-head">
        <h1>{t.title}</h1>
        <nav class="notes-nav" aria-label={t.parts}>
          <Part to="/notes" text={t.mine} />
          <Part to="/notes/received" text={t.received} count={unread} />
          <Part to="/notes/sent" text={t.sent} />
        </nav>
      </div>
      {here === '/notes/received' ? <ReceivedList /> : here === '/notes/sent' ? <SentList /> : <Board />}
    </>
  )
}
