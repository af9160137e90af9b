/** The actions on the chosen people, and the list of people who could not be changed. */
import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { Combobox } from '../../../parts/forms/combobox.tsx'
import type { Choice } from '../../../parts/lists/table/choice.ts'
import { Chosen } from '../../../parts/lists/table/table.tsx'
import { Dialog } from '../../../parts/overlay/dialog.tsx'
import { say } from '../../../parts/overlay/toasts.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { attempt } from '../../../parts/show/failures.ts'
import { TitledLine } from '../../../parts/show/lines.tsx'
import { titleOf } from '../../../parts/show/title.ts'
import type { Schemas } from '../../../platform/client.ts'
import { formatNumber, inLanguage, nameOf } from '../../../platform/language.ts'
import type { List } from '../../../platform/list.ts'
import { searchGroups } from '../shared/directory.ts'
import { useImpact } from '../shared/person-acts/impact.ts'
import { type Change, type Chosen as ChosenPeople, changeMany, fixed, namesOf, type Person, type Verdict } from './data.ts'
import { t } from './texts.ts'

/** Deactivating more people than this is not previewed. */
const MOST_PREVIEWED = 500

/** A person who was not changed, and why. */
export interface Refused {
  id: number
  name: string
  verdict: Verdict
}

/** A change of many people, the change that undoes it, and the messages of both. */
interface Act {
  set: Change
  back: Change
  said: (count: number) => string
  saidBack: (count: number) => string
}

/** Changes people, shows a toast with their number and undo, and returns the people who were not changed. */
async function change(chosen: ChosenPeople, { set, back, said, saidBack }: Act): Promise<Refused[]> {
  const { changedIds, failed } = await changeMany(chosen, set)
  const undo = () => attempt(changeMany({ ids: changedIds }, back).then((done) => say({ text: saidBack(done.changedIds.length) })))
  say({ text: said(changedIds.length), ...(changedIds.length > 0 && { undo }) })
  const names = new Map((await namesOf(failed.map(({ id }) => id))).map((person) => [person.id, nameOf(person)]))
  return failed.map((verdict) => ({ id: verdict.id, name: names.get(verdict.id) ?? t.someone(formatNumber(verdict.id)), verdict }))
}

const turnOff: Act = { set: { isActive: false }, back: { isActive: true }, said: (n) => t.deactivated(n), saidBack: (n) => t.activated(n) }
const turnOn: Act = { set: { isActive: true }, back: { isActive: false }, said: (n) => t.activated(n), saidBack: (n) => t.deactivated(n) }

interface ChosenActsProps {
  choice: Choice<Person>
  list: List<Person>
  chosen: () => ChosenPeople
  /** Whether all people that the filter finds are deactivated. */
  isAllOff: boolean
  join: () => void
  refused: (refused: Refused[]) => void
}

/** The bar with the actions on the chosen people. */
export function ChosenActs({ choice, list, chosen, isAllOff, join, refused }: ChosenActsProps) {
  const isBusy = useSignal(false)
  const on = choice.rows.filter(({ isActive }) => isActive)
  const countOn = choice.isAll ? (isAllOff ? 0 : choice.count) : on.length
  const countOff = choice.isAll ? (isAllOff ? choice.count : 0) : choice.rows.length - on.length
  const impact = useImpact(on.length <= MOST_PREVIEWED ? on.map(({ id }) => ({ kind: 'user', id, set: { isActive: false } })) : [])
  const hint = impact ? t.off(impact.sessionsEnded, impact.ordersReturnedCount) : t.offAny
  async function run(act: Act) {
    if (isBusy.value) return
    isBusy.value = true
    await attempt(changeShown(act))
    isBusy.value = false
  }
  async function changeShown(act: Act) {
    const people = await fixed(chosen())
    if ('ids' in people && people.ids.length > choice.count) {
      // The button did not say so many.
      list.refresh()
      return say({ text: t.grown(t.people(people.ids.length)), kind: 'error' })
    }
    const failed = await change(people, act)
    choice.clear()
    refused(failed)
  }
  return (
    <Chosen choice={choice} list={list} hint={countOn > 0 && hint}>
      <Button kind="plain" onClick={join}>
        {t.manyToGroup}
      </Button>
      {countOn > 0 && (
        <Button kind="plain" isBusy={isBusy.value} onClick={() => run(turnOff)}>
          {t.deactivateMany(countOn)}
        </Button>
      )}
      {countOff > 0 && (
        <Button kind="plain" isBusy={isBusy.value} onClick={() => run(turnOn)}>
          {t.activateMany(countOff)}
        </Button>
      )}
    </Chosen>
  )
}

interface JoinProps {
  chosen: ChosenPeople
  close: () => void
  done: (refused: Refused[]) => void
}

/** Asks which group the chosen people should join. */
export function Join({ chosen, close, done }: JoinProps) {
  // Read once, because a person who is invited later is not part of the question.
  const people = useMemo(() => {
    const found = fixed(chosen)
    // A failure is said once a group is chosen.
    found.catch(() => {})
    return found
  }, [])
  const join = (group: Schemas['Group']) => {
    const title = titleOf(group)
    const act = {
      set: { addGroupIds: [group.id] },
      back: { removeGroupIds: [group.id] },
      said: t.joined(title),
      saidBack: () => t.left(title),
    }
    close()
    attempt(people.then((all) => change(all, act)).then(done))
  }
  return (
    <Dialog title={t.joinTitle} close={close}>
      <p class="quiet">{t.joinHint}</p>
      <Combobox eager label={t.group} placeholder={t.group} find={searchGroups} id={({ id }) => id} choose={join}>
        {(group) => (
          <>
            <span class="grow">
              <TitledLine of={group} />
            </span>
            <span class="quiet small">{t.gives(t.apps(group.appCount), t.rolesCount(group.roleCount))}</span>
          </>
        )}
      </Combobox>
    </Dialog>
  )
}

/** The people who were not changed, until the list is dismissed. */
export function RefusedList({ refused, dismiss }: { refused: readonly Refused[]; dismiss: () => void }) {
  if (refused.length === 0) return null
  return (
    <section class="users-refused" role="alert">
      <strong>{t.refused}</strong>
      <ul>
        {refused.map(({ id, name, verdict }) => (
          <li key={id}>{t.refusedOf(name, inLanguage(verdict.messageAr, verdict.messageEn))}</li>
        ))}
      </ul>
      <Button kind="plain" icon="x" aria-label={t.dismiss} onClick={dismiss} />
    </section>
  )
}
