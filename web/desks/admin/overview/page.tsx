import './style.css'
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useTitle } from '../../../frame/site.ts'
import { useLastKnown } from '../../../parts/lists/last-known.ts'
import { Avatar } from '../../../parts/show/avatar.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { attempt } from '../../../parts/show/failures.ts'
import { Icon, type IconName } from '../../../parts/show/icon.tsx'
import { lazily } from '../../../parts/show/lazily.tsx'
import type { Entry } from '../../../parts/show/log/entries.ts'
import { Sentence } from '../../../parts/show/log/sentence.tsx'
import { Moment } from '../../../parts/show/moment.tsx'
import { Loaded, Skeleton } from '../../../parts/show/skeleton.tsx'
import { ago } from '../../../platform/ago.ts'
import type { Schemas } from '../../../platform/client.ts'
import { longDay } from '../../../platform/dates.ts'
import { isolated, named, nameOf } from '../../../platform/language.ts'
import { at } from '../../../platform/router.ts'
import { titleOf as titleOfReview } from '../../reviews/data.ts'
import { waiting as pendingRequests } from '../requests/data.ts'
import { health, version } from '../shared/health/data.ts'
import { exceptionsOf, isCalm } from '../shared/health/exceptions.ts'
import { milliseconds, sentenceOf, since } from '../shared/health/sentences.ts'
import { lateCount, longestLate } from '../shared/late-orders.ts'
import { IssuedDialog } from '../shared/person-acts/issued.tsx'
import { PutBack } from '../shared/put-back.tsx'
import { askedForLinks, issueLink, lastEntries, person, requestsForMe, reviewsDue, totals } from './data.ts'
import { isBeginning } from './first-steps/steps.ts'
import { t } from './texts.ts'

const FirstSteps = lazily(() => import('./first-steps/first-steps.tsx').then((loaded) => loaded.default))

/** The tasks that need an administrator, the latest changes and some figures; for an empty portal, its first steps. */
export default function Overview() {
  useTitle(t.title)
  // Stored here, because the person's line disappears once a link is issued.
  const issued = useSignal<{ name: string; link: Schemas['ResetLink'] } | undefined>(undefined)
  const asked = askedForLinks()
  const [late, longest] = [lateCount(), useLastKnown(longestLate())]
  const troubles = exceptionsOf(health.data, version.data).filter((one) => !isCalm(one) || one.what === 'newer')
  const pending = pendingRequests.data?.totalCount ?? 0
  const due = reviewsDue()
  const waiting = asked.length + Number(late > 0) + Number(pending > 0) + due.length + troubles.length
  const isFirst = isBeginning()
  return (
    <div class="overview">
      <h1>{t.title}</h1>
      {isFirst && <FirstSteps />}
      {!isFirst && (
        <p class="overview-sentence" role="status">
          {t.waiting(waiting)}
        </p>
      )}
      <div class="overview-halves">
        <div>
          {waiting > 0 && (
            <section aria-labelledby="overview-needs">
              <h2 id="overview-needs">{t.needs}</h2>
              <ul class="card overview-list">
                {asked.map((one) => (
                  <Asked
                    key={one.id}
                    asked={one}
                    show={(name, link) => {
                      issued.value = { name, link }
                    }}
                  />
                ))}
                {longest && (
                  <Needs
                    icon="clipboard-list"
                    title={t.lateOrders(late)}
                    more={t.oldestOrder(isolated(named(longest.service ?? { nameAr: '', nameEn: '' })), ago(longest.createdAt))}
                  >
                    <a class="button" href={at('/admin/orders?status=pending')}>
                      {t.handOut}
                    </a>
                  </Needs>
                )}
                {pending > 0 && (
                  <Needs icon="hand" title={t.requests(pending)} more={t.requestsForYou(requestsForMe.data?.totalCount ?? 0)}>
                    <a class="button" href={at('/admin/requests?status=pending')}>
                      {t.decide}
                    </a>
                  </Needs>
                )}
                {due.map((review) => (
                  <Needs
                    key={review.id}
                    icon="circle-check"
                    title={t.reviewDue(isolated(titleOfReview(review)))}
                    more={t.reviewLeft(review.counts.undecided, longDay(review.dueDate, 'UTC'))}
                  >
                    <a class="button" href={at(`/admin/reviews/${review.id}`)}>
                      {t.see}
                    </a>
                  </Needs>
                ))}
                {troubles.map((one) => (
                  <Needs key={one.what} icon={one.what === 'newer' ? 'download' : 'triangle-alert'} title={sentenceOf(one)}>
                    <a class="button" href={at('/admin/system')}>
                      {t.see}
                    </a>
                  </Needs>
                ))}
              </ul>
            </section>
          )}
          <section aria-labelledby="overview-lately">
            <h2 id="overview-lately">{t.lately}</h2>
            <Loaded of={lastEntries} shape={<Skeleton count={5} shape="line" height={3} />}>
              {({ entries }) => <Lately entries={entries} />}
            </Loaded>
            <a class="overview-all" href={at('/admin/audit')}>
              {t.all}
            </a>
          </section>
        </div>
        <Portal />
      </div>
      {issued.value && (
        <IssuedDialog
          {...issued.value}
          close={() => {
            issued.value = undefined
          }}
        />
      )}
    </div>
  )
}

interface NeedsProps {
  icon: IconName
  title: ComponentChildren
  more?: ComponentChildren
  /** The action. */
  children: ComponentChildren
}
function Needs({ icon, title, more, children }: NeedsProps) {
  return (
    <li class="overview-needs">
      <span class="overview-icon">
        <Icon name={icon} />
      </span>
      <div>
        <strong>{title}</strong>
        {more && <p class="quiet small">{more}</p>}
      </div>
      {children}
    </li>
  )
}

/** A person who asked for a new password. */
function Asked({ asked, show }: { asked: Schemas['Notification']; show: (name: string, link: Schemas['ResetLink']) => void }) {
  const isBusy = useSignal(false)
  const who = person(asked.relatedId!).data
  const name = who ? isolated(nameOf(who)) : t.deletedPerson
  async function issue() {
    isBusy.value = true
    await attempt(issueLink(asked).then((link) => show(who ? nameOf(who) : t.deletedPerson, link)))
    isBusy.value = false
  }
  return (
    <Needs
      icon="key-round"
      title={t.asked(name)}
      more={health.data?.mail.configured === false ? t.askedNoMail(ago(asked.createdAt)) : ago(asked.createdAt)}
    >
      <Button kind="main" isBusy={isBusy.value} onClick={issue}>
        {t.issue}
      </Button>
    </Needs>
  )
}

function Lately({ entries }: { entries: Entry[] }) {
  if (entries.length === 0) return <p class="quiet">{t.noneYet}</p>
  return (
    <ul class="card overview-list">
      {entries.map((entry) => (
        <li key={entry.id} class="overview-entry">
          {entry.actor ? (
            <Avatar person={entry.actor} size={32} />
          ) : (
            <span class="overview-nobody">
              <Icon name="settings" size={18} />
            </span>
          )}
          <p>
            <Sentence entry={entry} />
          </p>
          <Moment at={entry.createdAt} />
          <PutBack entry={entry} />
        </li>
      ))}
    </ul>
  )
}

function Portal() {
  const [now, known, home] = [health.data, version.data, totals.data]
  return (
    <section class="overview-portal" aria-labelledby="overview-portal">
      <h2 id="overview-portal">{t.portal}</h2>
      <ul>
        {now && (
          <li>
            <Icon name={now.database.ok ? 'circle-check' : 'triangle-alert'} />
            {now.database.ok ? t.running(milliseconds(now.database.ms)) : t.databaseGone}
          </li>
        )}
        {now && (
          <li>
            <Icon name={now.ledger.valid === false ? 'triangle-alert' : 'circle-check'} />
            {now.ledger.valid === false
              ? t.broken
              : now.ledger.unsealedSeconds < 60
                ? t.sealed
                : t.sealedBut(since(now.ledger.unsealedSeconds))}
          </li>
        )}
        {now && (
          <li>
            <Icon name="users" />
            {t.connected(now.streams)}
          </li>
        )}
        {home && (
          <li>
            <Icon name="layout-grid" />
            {t.has(home.totalUsers, home.totalApps, home.totalServices)}
          </li>
        )}
        {known && (
          <li>
            <Icon name="refresh-cw" />
            {t.version(isolated(known.current.version), known.status === 'not-configured')}
          </li>
        )}
      </ul>
    </section>
  )
}
