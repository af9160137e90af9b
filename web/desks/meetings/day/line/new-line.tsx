import './line.css'
import { useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { TextField } from '../../../../parts/forms/field.tsx'
import { useSaving } from '../../../../parts/forms/saving.ts'
import { useSettled } from '../../../../parts/forms/settled.ts'
import { Dialog } from '../../../../parts/overlay/dialog.tsx'
import { Button } from '../../../../parts/show/button.tsx'
import { Icon } from '../../../../parts/show/icon.tsx'
import { type Draft, draft } from '../../../../platform/drafts.ts'
import { isolated, nameOf } from '../../../../platform/language.ts'
import { visit } from '../../../../platform/router.ts'
import { dayName } from '../../shared/days.ts'
import { colleaguePerson, writtenPerson } from '../../shared/editor/attendees-field.tsx'
import { type Colleague, findColleagues, saveNew } from '../../shared/editor/data.ts'
import { Follows } from '../../shared/editor/follows.tsx'
import { t as words } from '../../shared/editor/texts.ts'
import { emptyOn, type Values } from '../../shared/editor/values.ts'
import { clock, officeDay, officeTime } from '../../shared/office.ts'
import { readOneLine } from '../../shared/one-line/one-line.ts'
import type { Fields } from '../../shared/one-line/reading.ts'
import { standing } from '../../shared/standing.ts'
import { t } from './texts.ts'
import { halves, keyOf, meantBy, quoted, settled } from './understood.ts'

type Found = ReadonlyMap<string, readonly Colleague[]>

/**
 * The colleagues found for each name of a line. A name is absent until its search ends; `seek` resolves when the searches for all its names
 * have ended.
 */
function useColleagues(names: readonly string[]) {
  const found = useSignal<Found>(new Map())
  const asked = useRef(new Map<string, Promise<void>>()).current
  const sought = useSettled(names.join('\n'))
  async function find(name: string) {
    try {
      const all = await findColleagues(name)
      found.value = new Map(found.peek()).set(name, all)
    } catch (failure) {
      asked.delete(name)
      throw failure
    }
  }
  const seek = async (some: readonly string[]) => {
    for (const name of some) if (!asked.has(name)) asked.set(name, find(name))
    await Promise.all(some.map((name) => asked.get(name)))
    return found.peek()
  }
  useEffect(() => {
    // A failure is ignored here, because saving calls `seek` again and reports it.
    seek(sought.split('\n').filter(Boolean)).catch(() => {})
  }, [sought])
  return { found: found.value, seek }
}

/** The values that an answer would set, in words. */
const answerText = ({ date, start, end, place, link }: Partial<Fields>) =>
  [
    date && dayName(date),
    start && (end ? t.until(clock(start), clock(end)) : clock(start)),
    !start && end && words.end + clock(end),
    place && t.place(isolated(place)),
    link,
  ]
    .filter(Boolean)
    .join(' ')

interface NewLineProps {
  /** The day that the page shows. */
  date: string
  /** The typed line, which the device stores until it is saved or discarded. */
  draft: Draft<string>
  close: () => void
  /** Continues in the form with all fields. */
  all: (values: Values) => void
  /** Called with the day of the new meeting, whether the person is still on the page, and the line that was sent. */
  done: (date: string, isThere: boolean, sent: string) => void
}

/** The one line that adds a meeting. Below it: how the line was understood, and the questions that are open. */
export function NewLine({ date, draft: { value: line }, close, all, done }: NewLineProps) {
  const answers = useSignal<ReadonlyMap<string, Partial<Fields>>>(new Map())
  const picks = useSignal<ReadonlyMap<string, Colleague | 'written'>>(new Map())
  const reason = useMemo(() => draft('meeting:new:reason', ''), [])
  const box = useRef<HTMLDivElement>(null)
  const isAsking = !standing.data?.canMutate
  const text = line.value ?? ''
  // The line means what it meant at its last key: midnight does not move “tomorrow”, nor a line without a day, to another day.
  const { reading, shown } = useMemo(
    () => ({ reading: readOneLine(text, { today: officeDay(), time: officeTime() }), shown: date }),
    [text],
  )
  const { fields, open } = settled(reading, text, answers.value)
  const { found, seek } = useColleagues(fields.people)
  const peopleBy = (found: Found) =>
    fields.people.map((name) => {
      const picked = picks.value.get(name)
      return { name, who: picked === 'written' ? undefined : (picked ?? meantBy(name, found.get(name) ?? [])) }
    })
  const attendeeOf = ({ name, who }: ReturnType<typeof peopleBy>[number]) =>
    typeof who === 'object' ? colleaguePerson(who) : writtenPerson(name)
  const people = peopleBy(found)
  const unclear = people.filter(({ who }) => who === 'several')
  const [title, place] = [halves(fields.title), halves(fields.place)]
  const names = people.map(({ name, who }) => `${name}:${typeof who === 'object' ? who.id : ''}`).join()
  // Memoised because each call of `attendeeOf` gives new ids.
  const attendees = useMemo(() => people.map(attendeeOf), [names])
  const values: Values = {
    ...emptyOn(fields.date ?? shown),
    ...{ titleAr: title.ar, titleEn: title.en, startTime: fields.start ?? '', endTime: fields.end ?? '' },
    ...{ locationAr: place.ar, locationEn: place.en, meetingUrl: fields.link ?? '', attendees },
  }
  const isReady = fields.title !== '' && open.length === 0 && unclear.length === 0
  const saving = useSaving(async () => {
    const isThere = visit()
    // Wait for the searches: until then, a colleague's name looks like that of an outsider.
    const sure = peopleBy(await seek(fields.people))
    if (sure.some(({ who }) => who === 'several')) return
    const why = reason.value.peek()
    await saveNew({ ...values, attendees: sure.map(attendeeOf) }, isAsking ? (why ?? '') : undefined)
    reason.drop(why)
    done(values.date, isThere(), text)
  })
  const field = () => box.current?.querySelector('input')
  const answer = (key: string, given: Partial<Fields>) => {
    answers.value = new Map(answers.peek()).set(key, given)
    field()?.focus()
  }
  const pick = (name: string, who: Colleague | 'written') => {
    picks.value = new Map(picks.peek()).set(name, who)
    field()?.focus()
  }
  const written = ([from, to]: readonly [number, number]) => text.slice(from, to)
  const save = () => isReady && saving.run()

  const understood: [key: string, text: string][] = [
    ...(fields.title ? [['title', t.called(isolated(fields.title))] as [string, string]] : []),
    ['day', fields.date ? dayName(fields.date) : t.shownDay(dayName(shown))],
    ['time', fields.start ? (fields.end ? t.until(clock(fields.start), clock(fields.end)) : clock(fields.start)) : t.noTime],
    ...(fields.place ? [['place', t.place(isolated(fields.place))] as [string, string]] : []),
    ...people.map(({ name, who }): [string, string] => [
      `person ${name}`,
      t.person(typeof who === 'object' ? isolated(nameOf(who)) : t.written(isolated(name))),
    ]),
    ...(fields.link ? [['link', t.link] as [string, string]] : []),
  ]
  return (
    <Dialog
      title={t.title}
      class="day-line"
      close={close}
      isUnsaved={() => (line.peek() ?? '').trim() !== ''}
      end={
        <>
          <p class="error" role="alert">
            {saving.problem}
          </p>
          <Button kind="plain" onClick={() => all(values)}>
            {t.all}
          </Button>
          <Button kind="main" isBusy={saving.isBusy} disabled={!isReady} onClick={save}>
            {open.length + unclear.length > 0 ? t.answerFirst : isAsking ? words.askNew : words.add}
          </Button>
        </>
      }
    >
      <div ref={box} class="day-line-field">
        <TextField
          label={t.label}
          placeholder={t.placeholder}
          value={text}
          maxLength={2000}
          autocomplete="off"
          autoFocus
          onInput={(event) => {
            line.value = event.currentTarget.value
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            save()
          }}
        />
        {reading.chips.length > 0 && (
          <ul class="day-chips">
            {reading.chips.map(({ kind, span }) => (
              <li key={`${kind} ${span[0]}`} class="chip" data-kind={kind === 'person' || kind === 'place' ? 'blue' : 'on'}>
                <button
                  type="button"
                  aria-label={t.select(isolated(written(span)))}
                  onClick={() => {
                    field()?.focus()
                    field()?.setSelectionRange(...span)
                  }}
                >
                  <bdi>{written(span)}</bdi>
                </button>
                <button
                  type="button"
                  aria-label={t.leave(isolated(written(span)))}
                  onClick={() => {
                    line.value = quoted(text, span)
                    field()?.focus()
                  }}
                >
                  <Icon name="x" size={14} />
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
      <div aria-live="polite">
        {open.map((one) => (
          <div key={keyOf(one, text)} class="day-asked">
            <p>
              <Icon name="circle-help" size={18} />
              <span>
                <bdi class="day-name">{written(one.span)}</bdi>: {t.reasons[one.reason]}
              </span>
            </p>
            <p class="day-answers">
              {one.choices.map((choice) => (
                <Button key={JSON.stringify(choice)} onClick={() => answer(keyOf(one, text), choice)}>
                  {answerText(choice)}
                </Button>
              ))}
            </p>
          </div>
        ))}
        {unclear.map(({ name }) => (
          <div key={name} class="day-asked">
            <p>
              <Icon name="circle-help" size={18} />
              <span>{t.which(isolated(name))}</span>
            </p>
            <p class="day-answers">
              {(found.get(name) ?? []).map((one) => (
                <Button key={one.id} onClick={() => pick(name, one)}>
                  <bdi>{nameOf(one)}</bdi>
                </Button>
              ))}
              <Button kind="plain" onClick={() => pick(name, 'written')}>
                {t.asWritten}
              </Button>
            </p>
          </div>
        ))}
        {text.trim() !== '' && (
          <ul class="day-understood" aria-label={t.understood}>
            {understood.map(([key, said]) => (
              <li key={key}>{said}</li>
            ))}
            {!fields.title && <li class="quiet">{t.noTitle}</li>}
          </ul>
        )}
      </div>
      {text.trim() !== '' && <Follows id={undefined} former={undefined} values={values} isAsking={isAsking} />}
      {isAsking && text.trim() !== '' && (
        <TextField
          label={words.reason}
          hint={words.reasonHint}
          maxLength={1000}
          value={reason.value.value ?? ''}
          onInput={(event) => {
            reason.value.value = event.currentTarget.value
          }}
        />
      )}
    </Dialog>
  )
}
