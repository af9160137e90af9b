import { useMemo } from 'preact/hooks'
import type { PageProps } from '../../../addresses.ts'
import { useTitle } from '../../../frame/site.ts'
import { useWayBack } from '../../../frame/way-back.ts'
import { isDay } from '../../../parts/forms/calendar/days.ts'
import { Empty } from '../../../parts/show/empty.tsx'
import { Loaded } from '../../../parts/show/skeleton.tsx'
import { Refusal } from '../../../platform/refusal.ts'
import { at, go, queryValue } from '../../../platform/router.ts'
import { meetingOf, titleOf } from '../shared/day.ts'
import { fullDay } from '../shared/days.ts'
import { Editor } from '../shared/editor/editor.tsx'
import { t } from '../shared/editor/texts.ts'
import { emptyOn } from '../shared/editor/values.ts'
import { officeDay } from '../shared/office.ts'
import { standing } from '../shared/standing.ts'
import { t as words } from '../texts.ts'

const back = (date: string) => go(`/meetings/${date}`)

/** A meeting on a page of its own, or a new one. */
export default function MeetingPage({ params: { id } }: PageProps) {
  return id === undefined ? <NewMeeting /> : <OneMeeting key={id} id={Number(id)} />
}

function OneMeeting({ id }: { id: number }) {
  const meeting = meetingOf(id)
  const isGone = meeting.error instanceof Refusal && meeting.error.status === 404
  useTitle(isGone ? words.gone : meeting.data ? titleOf(meeting.data) : t.meeting)
  useWayBack(meeting.data ? `/meetings/${meeting.data.date}` : '/meetings', words.toDay)
  if (isGone)
    return (
      <Empty
        icon="trash-2"
        title={words.gone}
        isPage
        act={
          <a class="button" data-kind="main" href={at('/meetings')}>
            {words.toDay}
          </a>
        }
      />
    )
  return (
    <Loaded of={meeting}>
      {(data) => (
        <div class="meeting-page">
          <h1 dir="auto">{titleOf(data)}</h1>
          <p class="quiet">
            <a href={at(`/meetings/${data.date}`)}>{fullDay(data.date)}</a>
          </p>
          <Loaded of={standing}>{() => <Editor meeting={data} version={meeting.version} done={() => {}} />}</Loaded>
        </div>
      )}
    </Loaded>
  )
}

function NewMeeting() {
  useTitle(t.newMeeting)
  useWayBack('/meetings', words.toDay)
  const asked = queryValue('date')
  // Midnight does not change the day of a form that is open.
  const today = useMemo(() => officeDay(), [])
  const isAsked = isDay(asked)
  return (
    <div class="meeting-page">
      <h1>{t.newMeeting}</h1>
      <Loaded of={standing}>
        {() => (
          <Editor
            from={emptyOn(isAsked ? asked : today)}
            suggested={isAsked ? [] : ['date']}
            done={(date, isThere) => isThere && back(date)}
          />
        )}
      </Loaded>
    </div>
  )
}
