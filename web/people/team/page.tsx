import './style.css'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { officeToday } from '../../frame/office.ts'
import { useTitle } from '../../frame/site.ts'
import { lastDays } from '../../parts/forms/calendar/days.ts'
import { Dialog } from '../../parts/overlay/dialog.tsx'
import { Button } from '../../parts/show/button.tsx'
import { Empty } from '../../parts/show/empty.tsx'
import { lazily } from '../../parts/show/lazily.tsx'
import { Segments } from '../../parts/show/segments.tsx'
import { formOf } from '../../parts/show/service-notice/data.ts'
import { Loaded } from '../../parts/show/skeleton.tsx'
import { isolated, named } from '../../platform/language.ts'
import { queryValue, setQuery } from '../../platform/router.ts'
import { myTeams } from '../../platform/session.ts'
import { walk } from '../receiving/data.ts'
import { catalogue, entryOf, type Service, services } from '../services/data.ts'
import { ledTeams, readAgain } from './data.ts'
import { Orders } from './orders.tsx'
import { t } from './texts.ts'

const Notice = lazily(async () => (await import('../../parts/show/service-notice/notice.tsx')).Notice)
const Report = lazily(async () => (await import('../../parts/show/report/report.tsx')).Report)
const SoldOut = lazily(async () => (await import('../../parts/show/service-notice/sold-out.tsx')).SoldOut)

type Team = NonNullable<ReturnType<typeof ledTeams>>[number]
type Act = 'pause' | 'resume' | 'notice' | 'soldOut'

const titleOf = (act: Act, service: string) =>
  ({ pause: t.stopOf, resume: t.resumeOf, notice: t.noticeOf, soldOut: t.soldOutOf })[act](service)

const hasOptions = (serviceId: number) => formOf(serviceId).data?.fields.some(({ options = [] }) => options.length > 0)

/** How often the page reads the orders again, in ms: a lead who does not receive orders gets no events about them. */
const AGAIN_MS = 30_000

/** The services of a team, each with its notice and its pause. They are found by the name of the team, which is unique. */
function Services({ team }: { team: Team }) {
  const asked = useSignal<{ service: Service; ask: Act } | undefined>(undefined)
  const close = () => (asked.value = undefined)
  const ofTeam = new Set(catalogue.data?.flatMap(({ serviceId, teamNameEn }) => (teamNameEn === team.nameEn ? serviceId : [])))
  const all = services.data?.filter(({ id }) => ofTeam.has(id)) ?? []
  return (
    <section class="team-part" aria-labelledby="team-services">
      <h2 id="team-services">{t.services}</h2>
      {all.length === 0 && catalogue.data && <p class="quiet">{t.noServices}</p>}
      <ul class="team-list">
        {all.map((service) => {
          const { isPaused, notice } = entryOf(service)
          const pausing = isPaused ? 'resume' : 'pause'
          const ask = (act: Act) => ({ 'aria-label': titleOf(act, named(service)), onClick: () => (asked.value = { service, ask: act }) })
          const hasForm = catalogue.data?.some(({ serviceId, formVersion }) => serviceId === service.id && formVersion !== null)
          return (
            <li key={service.id} class="card team-card">
              <div class="team-top">
                <bdi class="team-name">{named(service)}</bdi>
                {isPaused && (
                  <span class="chip" data-kind="warn">
                    {t.isPaused}
                  </span>
                )}
              </div>
              {notice && (
                <p class="quiet small" dir="auto">
                  {notice}
                </p>
              )}
              <div class="team-end">
                <Button {...ask(pausing)}>{isPaused ? t.resume : t.stop}</Button>
                {hasForm && hasOptions(service.id) && (
                  <Button kind="plain" {...ask('soldOut')}>
                    {t.soldOut}
                  </Button>
                )}
                <Button kind="plain" {...ask('notice')}>
                  {t.notice}
                </Button>
              </div>
            </li>
          )
        })}
      </ul>
      {asked.value && (
        <Dialog title={titleOf(asked.value.ask, isolated(named(asked.value.service)))} close={close} isUnsaved={() => false}>
          {asked.value.ask === 'soldOut' ? (
            <SoldOut id={asked.value.service.id} />
          ) : (
            <Notice id={asked.value.service.id} act={asked.value.ask} after={close} />
          )}
        </Dialog>
      )}
    </section>
  )
}

/** A lead's view of a team: what is late, unclaimed, waiting and in work, and its services. */
export default function TeamPage() {
  useTitle(t.title)
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && readAgain(), AGAIN_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <Loaded of={myTeams}>
      {() => {
        const teams = ledTeams() ?? []
        const team = teams.find(({ id }) => String(id) === queryValue('team')) ?? teams[0]
        if (!team)
          return (
            <Empty icon="users" title={t.none} isPage>
              {t.noneHint}
            </Empty>
          )
        return (
          <div class="team">
            <div class="section-head">
              <h1>{teams.length > 1 ? t.title : <bdi>{named(team)}</bdi>}</h1>
            </div>
            {teams.length > 1 && (
              <Segments
                label={t.team}
                of={teams.map((one) => [one.id, named(one)] as const)}
                value={team.id}
                choose={(id) => setQuery({ team: String(id) })}
              />
            )}
            {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys walk the cards inside */}
            <div class="team-parts" onKeyDown={walk}>
              <Orders key={`orders ${team.id}`} teamId={team.id} />
              <Services key={team.id} team={team} />
            </div>
            <section class="team-figures" aria-labelledby="team-figures">
              <h2 id="team-figures">{t.figures}</h2>
              <Report
                filter={{ ...lastDays(30, officeToday()), teamId: team.id }}
                isTable={queryValue('as') === 'table'}
                change={(isTable) => setQuery({ as: isTable ? 'table' : '' })}
              />
            </section>
          </div>
        )
      }}
    </Loaded>
  )
}
