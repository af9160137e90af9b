import type { ComponentChildren } from 'preact'
import { AttendeeFace } from '../attendees.tsx'
import { type Meeting, placeOf } from '../day.ts'
import { fullDay } from '../days.ts'
import { clock } from '../office.ts'
import { t } from './texts.ts'

const Line = ({ label, children }: { label: string; children: ComponentChildren }) => (
  <div>
    <dt class="quiet small">{label}</dt>
    <dd>{children}</dd>
  </div>
)

/** A meeting for people who may only read. */
export function ReadOnly({ meeting }: { meeting: Meeting }) {
  const { date, startTime, endTime, attendees, notes, meetingUrl } = meeting
  return (
    <div class="meeting-read">
      <dl>
        <Line label={t.date}>
          {fullDay(date)}
          {startTime && <span class="numbers"> · {endTime ? `${clock(startTime)} – ${clock(endTime)}` : clock(startTime)}</span>}
        </Line>
        {placeOf(meeting) && (
          <Line label={t.place}>
            <bdi>{placeOf(meeting)}</bdi>
          </Line>
        )}
        {attendees.length > 0 && (
          <Line label={t.attendees}>
            <ul>
              {attendees.map((one) => (
                <li key={one.id}>
                  <AttendeeFace of={one} size={32} />
                  <span class="person">
                    <bdi>{one.name}</bdi>
                    {one.title && <bdi class="quiet small">{one.title}</bdi>}
                  </span>
                </li>
              ))}
            </ul>
          </Line>
        )}
        {meetingUrl && (
          <Line label={t.link}>
            <a href={meetingUrl} target="_blank" rel="noopener noreferrer" dir="ltr">
              {meetingUrl}
            </a>
          </Line>
        )}
        {notes && (
          <Line label={t.notes}>
            <span class="meeting-notes" dir="auto">
              {notes}
            </span>
          </Line>
        )}
      </dl>
      <p class="quiet small">{t.mayNot}</p>
    </div>
  )
}
