import './style.css'
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { useTitle } from '../../../frame/site.ts'
import { say } from '../../../parts/overlay/toasts.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { attempt } from '../../../parts/show/failures.ts'
import { Icon } from '../../../parts/show/icon.tsx'
import { Loaded, Skeleton } from '../../../parts/show/skeleton.tsx'
import { ago, present } from '../../../platform/ago.ts'
import { exactly } from '../../../platform/dates.ts'
import { formatNumber } from '../../../platform/language.ts'
import { at } from '../../../platform/router.ts'
import { type Health, health, version } from '../shared/health/data.ts'
import { type Exception, exceptionsOf, isCalm } from '../shared/health/exceptions.ts'
import { bytes, milliseconds, sentenceOf, since } from '../shared/health/sentences.ts'
import { type Job, retryJob, type Sample } from './data.ts'
import { Line } from './line.tsx'
import { lastDay, mostOf } from './samples.ts'
import { t } from './texts.ts'

const AGAIN_MS = 30_000
/** The build name of a portal that runs from source. */
const FROM_SOURCE = 'source'

/** The health of the portal: first the exceptions, then its figures with their trends over the last day. */
export default function SystemPage() {
  useTitle(t.title)
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') health.refresh()
    }, AGAIN_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <div class="system">
      <h1>{t.title}</h1>
      <Loaded of={health} shape={<Skeleton count={7} shape="line" height={3} />}>
        {(now) => (
          <>
            <Exceptions all={exceptionsOf(now, version.data)} />
            {now.queue.givenUp.length > 0 && <GivenUp jobs={now.queue.givenUp} />}
            <Figures now={now} />
          </>
        )}
      </Loaded>
    </div>
  )
}

function Exceptions({ all }: { all: Exception[] }) {
  const troubles = all.filter((one) => !isCalm(one)).length
  return (
    <>
      <p class="system-sentence" role="status">
        {t.sentence(troubles)}
      </p>
      {all.length > 0 && (
        <ul class="card system-exceptions">
          {all.map((one) => (
            <li key={one.what} data-calm={isCalm(one) || undefined}>
              <Icon name={isCalm(one) ? 'info' : 'triangle-alert'} />
              <span>{sentenceOf(one)}</span>
              {(one.what === 'broken' || one.what === 'sealLate') && (
                <a class="button" href={at('/admin/audit')}>
                  {t.toLog}
                </a>
              )}
              {(one.what === 'streamFails' || one.what === 'streamLate') && (
                <a class="button" href={at('/admin/audit-stream')}>
                  {t.toStream}
                </a>
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function GivenUp({ jobs }: { jobs: Job[] }) {
  return (
    <section aria-labelledby="given-up">
      <h2 id="given-up">{t.givenUpTitle}</h2>
      <ul class="card system-jobs">
        {jobs.map((job) => (
          <GivenUpJob key={job.id} job={job} />
        ))}
      </ul>
    </section>
  )
}
function GivenUpJob({ job }: { job: Job }) {
  const isBusy = useSignal(false)
  async function retry() {
    isBusy.value = true
    if (await attempt(retryJob(job.id))) say({ text: t.retried })
    isBusy.value = false
  }
  return (
    <li>
      <div>
        <bdi dir="ltr" class="system-task">
          {job.task}
        </bdi>
        <p class="quiet small">{t.attempts(job.attempts)}</p>
        {job.error && (
          <p class="small">
            <bdi dir="ltr">{job.error}</bdi>
          </p>
        )}
      </div>
      <Button icon="refresh-cw" isBusy={isBusy.value} onClick={retry}>
        {t.retry}
      </Button>
    </li>
  )
}

type Figure = Exclude<keyof Sample, 'at'>
interface RowProps {
  name: string
  children: ComponentChildren
  more?: ComponentChildren
  /** The figure whose last day is shown as a sparkline; `written` formats its maximum. */
  figure?: Figure
  written?: (value: number) => string
  samples?: readonly Sample[]
}
function Row({ name, children, more, figure, written = formatNumber, samples = [] }: RowProps) {
  const line = figure && lastDay(samples, figure, present().getTime())
  const most = line && mostOf(line)
  return (
    <div class="system-row">
      <dt>{name}</dt>
      <dd>
        <span>{children}</span>
        {more && <span class="quiet small">{more}</span>}
      </dd>
      {line && most !== undefined && (
        <dd class="system-day">
          <Line values={line} />
          <span class="quiet small">{t.mostOfDay(written(most))}</span>
        </dd>
      )}
    </div>
  )
}

/** A text about the difference between the clocks of the server and the database. Less than a second does not count. */
function clockText(ahead: number) {
  const gap = since(Math.abs(ahead))
  return Math.abs(ahead) < 1 ? t.inStep : ahead > 0 ? t.ahead(gap) : t.behind(gap)
}

function Figures({ now }: { now: Health }) {
  const { database, queue, pushes, ledger, storage, last24h: samples } = now
  const { state, lagSeconds: streamLag } = now.auditStream
  const known = version.data
  return (
    <dl class="card system-figures">
      <Row name={t.version} more={known?.status === 'up-to-date' ? t.upToDate : known?.status === 'not-configured' ? t.noFeed : undefined}>
        <bdi dir="ltr">{now.version.version}</bdi>{' '}
        {now.version.build === FROM_SOURCE ? (
          <span class="quiet small">{t.fromSource}</span>
        ) : (
          <bdi dir="ltr" class="quiet small">
            {now.version.build}
          </bdi>
        )}
      </Row>
      <Row name={t.started} more={exactly(now.startedAt)}>
        {ago(now.startedAt)}
      </Row>
      <Row name={t.database} more={bytes(database.size)} figure="databaseMs" written={milliseconds} samples={samples}>
        {t.answersIn(milliseconds(database.ms))}
      </Row>
      <Row name={t.queue} more={queue.due > 0 && t.oldest(since(queue.oldestSeconds))} figure="due" samples={samples}>
        {t.jobs(queue.due)}
      </Row>
      <Row name={t.pushes} figure="pushesWaiting" samples={samples}>
        {pushes.configured ? t.waiting(pushes.waiting) : t.notSetUp}
      </Row>
      <Row name={t.streams} figure="streams" samples={samples}>
        {t.open(now.streams)}
      </Row>
      <Row
        name={t.ledger}
        more={ledger.unsealedSeconds >= 60 && t.unsealed(since(ledger.unsealedSeconds))}
        figure="unsealedSeconds"
        written={since}
        samples={samples}
      >
        {t.rows(ledger.rows)}
      </Row>
      <Row name={t.auditStream} more={streamLag >= 60 && t.unsent(since(streamLag))}>
        {t.streamStates[state]}
      </Row>
      <Row name={t.storage} more={storage.free !== null && t.free(bytes(storage.free))}>
        {t.used(bytes(storage.used))}
      </Row>
      <Row name={t.mail}>{now.mail.configured ? t.setUp : t.notSetUp}</Row>
      <Row name={t.secrets}>{now.secrets.configured ? t.setUp : t.notSetUp}</Row>
      <Row name={t.clock}>{clockText(now.clock.aheadSeconds)}</Row>
    </dl>
  )
}
