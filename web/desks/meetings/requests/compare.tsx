import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Button } from '../../../parts/show/button.tsx'
import { hijriDay } from '../../../platform/dates.ts'
import { inLanguage } from '../../../platform/language.ts'
import type { Attendee } from '../shared/day.ts'
import { dayName } from '../shared/days.ts'
import { clock } from '../shared/office.ts'
import { changedBetween, type Field, fields, type Side, without } from './proposal.ts'
import { t } from './texts.ts'

const timeOf = ({ startTime, endTime }: Pick<Side, 'startTime' | 'endTime'>) =>
  startTime ? (endTime ? `${clock(startTime)} – ${clock(endTime)}` : clock(startTime)) : t.noTime

/** The attendees in order. People who join or leave are marked, also for screen readers. */
function People({ of, apart, isBefore }: { of: readonly Attendee[]; apart: readonly Attendee[]; isBefore: boolean }) {
  if (of.length === 0) return <>{t.nobody}</>
  const Mark = isBefore ? 'del' : 'ins'
  return (
    <ul class="requests-people">
      {of.map((one) => (
        <li key={one.id}>
          {apart.includes(one) ? (
            <Mark>
              <span class="unseen">{isBefore ? t.removed : t.added} </span>
              <bdi>{one.name}</bdi>
            </Mark>
          ) : (
            <bdi>{one.name}</bdi>
          )}
        </li>
      ))}
    </ul>
  )
}

function drawn(field: Field, side: Side): ComponentChildren {
  switch (field) {
    case 'title':
      return <bdi>{inLanguage(side.titleAr, side.titleEn)}</bdi>
    case 'date':
      return (
        <>
          {dayName(side.date)}
          <span class="small requests-hijri">{hijriDay(side.date, 'UTC')}</span>
        </>
      )
    case 'time':
      return <span class="numbers">{timeOf(side)}</span>
    case 'place':
      return <bdi>{inLanguage(side.locationAr, side.locationEn)}</bdi>
    case 'link':
      return <bdi dir="ltr">{side.meetingUrl}</bdi>
    case 'notes':
      return (
        <span class="requests-notes" dir="auto">
          {side.notes}
        </span>
      )
    case 'status':
      return t.meetingStatuses[side.status]
    case 'highlight':
      return side.isHighlighted ? t.yes : t.no
    case 'attendees':
      return null
  }
}

const isEmpty = (field: Field, side: Side) =>
  ({
    title: !side.titleAr && !side.titleEn,
    date: !side.date,
    time: !side.startTime,
    place: !side.locationAr && !side.locationEn,
    link: !side.meetingUrl,
    notes: !side.notes,
    status: side.status === 'scheduled',
    highlight: !side.isHighlighted,
    attendees: side.attendees.length === 0,
  })[field]

interface CompareProps {
  /** The present meeting; undefined for a new meeting and for a decided request. */
  before?: Side | undefined
  after: Side
  /** The fields to show if there is nothing to compare with. */
  asked: readonly Field[]
}

/** The present and the proposed meeting side by side. Only the changes stand out. */
export function Compare({ before, after, asked }: CompareProps) {
  const isWhole = useSignal(false)
  const changed = before ? changedBetween(before, after) : asked
  const shown = before ? fields.filter((field) => changed.includes(field) || !isEmpty(field, before) || !isEmpty(field, after)) : asked
  const people = (side: Side, isBefore: boolean) => (
    <People
      of={side.attendees}
      apart={before ? (isBefore ? without(before.attendees, after.attendees) : without(after.attendees, before.attendees)) : []}
      isBefore={isBefore}
    />
  )
  const cell = (field: Field, side: Side, isBefore: boolean) => (field === 'attendees' ? people(side, isBefore) : drawn(field, side))
  return (
    <>
      <table
        class="requests-compare"
        aria-label={before ? t.compare : t.after}
        data-whole={isWhole.value || undefined}
        data-alone={!before || undefined}
      >
        <thead>
          <tr>
            <td />
            {before && <th scope="col">{t.before}</th>}
            <th scope="col">{t.after}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((field) => {
            const isChanged = changed.includes(field)
            return (
              <tr key={field} data-changed={(before && isChanged) || undefined} data-same={(before && !isChanged) || undefined}>
                <th scope="row">{t.fields[field]}</th>
                {before && (
                  <td>{isChanged && field !== 'attendees' ? <del>{cell(field, before, true)}</del> : cell(field, before, true)}</td>
                )}
                <td>{cell(field, after, false)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {before && shown.some((field) => !changed.includes(field)) && !isWhole.value && (
        <Button
          kind="plain"
          class="button requests-whole"
          onClick={() => {
            isWhole.value = true
          }}
        >
          {t.unchanged}
        </Button>
      )}
    </>
  )
}
