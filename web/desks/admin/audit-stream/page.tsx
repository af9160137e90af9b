import './style.css'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { useTitle } from '../../../frame/site.ts'
import { Icon } from '../../../parts/show/icon.tsx'
import { Loaded } from '../../../parts/show/skeleton.tsx'
import { ago } from '../../../platform/ago.ts'
import { exactly } from '../../../platform/dates.ts'
import { formatNumber } from '../../../platform/language.ts'
import { Head } from '../shared/head.tsx'
import { since } from '../shared/health/sentences.ts'
import { type AuditStream, auditStream } from './data.ts'
import { t } from './texts.ts'

/** How often the page reloads the status, because no event tells it that the delay of the stream grows. */
const AGAIN_MS = 10_000

/** The audit stream: its collector, its progress, and advice if it fails. */
export default function AuditStreamPage() {
  useTitle(t.title)
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') auditStream.refresh()
    }, AGAIN_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <div class="audit-stream">
      <Head title={t.title} />
      <p>{t.purpose}</p>
      <Loaded of={auditStream}>
        {(now) => (
          <>
            <Trouble now={now} />
            {now.state !== 'off' && <Facts now={now} />}
          </>
        )}
      </Loaded>
      <p class="quiet small">{t.operator}</p>
    </div>
  )
}

/** Advice about an HTTP status of the collector. */
function adviceFor(status: number) {
  if (status === 401 || status === 403) return t.statuses.auth
  if (status >= 300 && status < 400) return t.statuses.redirect
  return status === 400 || status === 413 || status === 422 ? t.statuses.content : t.statuses.other
}

function Card({ kind, title, children }: { kind: 'danger' | 'warn'; title: string; children: ComponentChildren }) {
  return (
    <section class="card audit-stream-trouble" data-kind={kind} aria-labelledby="audit-stream-trouble">
      <h2 id="audit-stream-trouble">
        <Icon name="triangle-alert" /> {title}
      </h2>
      {children}
    </section>
  )
}

/** Says what is wrong and what to do about it; renders nothing while the stream works. */
function Trouble({ now: { state, failingSince, lastError, lastStatus } }: { now: AuditStream }) {
  if (state === 'working') return null
  if (state === 'off')
    return (
      <Card kind="warn" title={t.offTitle}>
        <p>{t.offHint}</p>
      </Card>
    )
  if (state === 'behind')
    return (
      <Card kind="warn" title={t.behindTitle}>
        <p>{t.behindHint}</p>
      </Card>
    )
  return (
    <Card kind="danger" title={t.failing(failingSince ? ago(failingSince) : '')}>
      {lastError === 'status' && lastStatus !== null ? (
        <p>
          {t.answered(lastStatus)} {adviceFor(lastStatus)}
        </p>
      ) : (
        lastError && <p>{t.errors[lastError]}</p>
      )}
      <p class="quiet small">{t.keeps}</p>
    </Card>
  )
}

function Fact({ name, more, children }: { name: string; more?: ComponentChildren; children: ComponentChildren }) {
  return (
    <div>
      <dt class="quiet small">{name}</dt>
      <dd>
        {children}
        {more && <span class="quiet small">{more}</span>}
      </dd>
    </div>
  )
}

const chips = { off: 'warn', working: 'on', behind: 'warn', failing: 'danger' } as const

function Facts({ now: { state, kind, host, place, behind, lagSeconds, sentAt } }: { now: AuditStream }) {
  return (
    <dl class="card audit-stream-facts">
      <Fact name={t.facts.state}>
        <span class="chip" data-kind={chips[state]}>
          {t.states[state]}
        </span>
      </Fact>
      <Fact name={t.facts.to} more={kind && t.kinds[kind]}>
        <bdi dir="ltr">{host}</bdi>
      </Fact>
      <Fact name={t.facts.place}>{place > 0 ? formatNumber(place) : t.nothingSent}</Fact>
      <Fact name={t.facts.behind} more={behind > 0 && t.oldest(since(lagSeconds))}>
        {t.waiting(behind)}
      </Fact>
      <Fact name={t.facts.sentAt} more={sentAt && exactly(sentAt)}>
        {sentAt ? ago(sentAt) : t.nothingSent}
      </Fact>
    </dl>
  )
}
