/** The rest of the executive's day, loaded only for people who may see it. */
import { officeToday, officeZone } from '../../frame/office.ts'
import { present } from '../../platform/ago.ts'
import { resource } from '../../platform/cache.ts'
import type { Schemas } from '../../platform/client.ts'
import { timeOfDay } from '../../platform/dates.ts'
import { inLanguage, withDigits } from '../../platform/language.ts'
import { at } from '../../platform/router.ts'
import { me } from '../../platform/session.ts'
import { t } from './today-texts.ts'

type Meeting = Schemas['Meeting']

/** The most meetings shown. The page of the day shows all. */
const SHOWN = 3

const officeTime = () => new Intl.DateTimeFormat('en-GB', { timeZone: officeZone(), hour: '2-digit', minute: '2-digit' }).format(present())
const clock = (time: string) => withDigits(me.value?.clockHour12 ? timeOfDay(`2000-01-01T${time}`, true) : time)

const meetings = () => resource('/executive-meetings', { query: { date: officeToday() } })

export function isKnown() {
  const { data, error } = meetings()
  return data !== undefined || error !== undefined
}

const isOver = ({ startTime, endTime }: Meeting, time: string) => (endTime ? endTime <= time : startTime !== null && startTime < time)

function Card({ meeting, time }: { meeting: Meeting; time: string }) {
  const { id, date, startTime, endTime, titleAr, titleEn, locationAr, locationEn } = meeting
  const detail = [endTime && t.until(clock(endTime)), inLanguage(locationAr, locationEn)].filter(Boolean).join(' · ')
  return (
    <a href={at(`/meetings/${date}?open=${id}`)} class="home-wait">
      <span class="home-time numbers">{startTime ? clock(startTime) : t.noTime}</span>
      <span>
        <bdi>{inLanguage(titleAr, titleEn)}</bdi>
        {detail && <bdi class="quiet small">{detail}</bdi>}
      </span>
      {startTime && startTime <= time && (
        <span class="chip" data-kind="on">
          {t.now}
        </span>
      )}
    </a>
  )
}

/** The first of today's scheduled meetings that are not over. Renders nothing if there are none. */
export function Today() {
  const all = meetings().data?.filter(({ status }) => status === 'scheduled') ?? []
  const time = officeTime()
  const left = all.filter((one) => !isOver(one, time))
  if (!left.length) return null
  return (
    <section aria-labelledby="home-today">
      <div class="section-head">
        <h2 id="home-today">{t.meetings(all.length)}</h2>
        <a class="button" data-kind="plain" href={at('/meetings')}>
          {t.wholeDay}
        </a>
      </div>
      <ol class="home-waiting">
        {left.slice(0, SHOWN).map((meeting) => (
          <li key={meeting.id}>
            <Card meeting={meeting} time={time} />
          </li>
        ))}
      </ol>
    </section>
  )
}
