import { useSignal } from '@preact/signals'
import { ChooseDialog } from '../../../parts/overlay/choose-dialog.tsx'
import { say } from '../../../parts/overlay/toasts.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { attempt } from '../../../parts/show/failures.ts'
import { PersonLine } from '../../../parts/show/lines.tsx'
import { Loaded } from '../../../parts/show/skeleton.tsx'
import { isolated, nameOf } from '../../../platform/language.ts'
import { at } from '../../../platform/router.ts'
import { searchPeople } from '../shared/directory.ts'
import { managerOf, type Profile, setManager } from './data.ts'
import { t } from './manager-texts.ts'

/** Sets the manager of a person, and offers undo. Undo is refused if somebody has changed the manager since. */
async function put(person: Profile, userId: number | null) {
  const { id } = person
  const shown = managerOf(id)
  const before = shown.peek()?.userId ?? null
  const save = async () => {
    const version = await setManager(id, userId, shown.version)
    const undo = () => attempt(setManager(id, before, version))
    say({ about: `manager ${id}`, text: t.saved(isolated(nameOf(person))), undo })
  }
  await attempt(save())
}

/** The manager of a person, who approves orders for them where a step of approval names the manager. */
export function Manager({ person }: { person: Profile }) {
  const isChoosing = useSignal(false)
  const find = async (typed: string) => (await searchPeople(typed)).filter(({ id }) => id !== person.id)
  return (
    <section>
      <div class="user-head">
        <h2>{t.manager}</h2>
        <button type="button" class="link" aria-label={`${t.change}: ${t.manager}`} onClick={() => (isChoosing.value = true)}>
          {t.change}
        </button>
      </div>
      <Loaded of={managerOf(person.id)}>
        {({ manager }) =>
          manager ? (
            <ul>
              <li>
                <a class="grow" href={at(`/admin/users/${manager.id}`)}>
                  <bdi>{nameOf(manager)}</bdi>
                </a>
                <Button kind="plain" icon="x" aria-label={t.remove} onClick={() => put(person, null)} />
              </li>
            </ul>
          ) : (
            <p class="quiet">{t.none}</p>
          )
        }
      </Loaded>
      {isChoosing.value && (
        <ChooseDialog
          title={t.managerOf(isolated(nameOf(person)))}
          hint={t.hint}
          label={t.find}
          close={() => (isChoosing.value = false)}
          find={find}
          choose={({ id }) => put(person, id)}
        >
          {(one) => <PersonLine person={one} size={32} />}
        </ChooseDialog>
      )}
    </section>
  )
}
