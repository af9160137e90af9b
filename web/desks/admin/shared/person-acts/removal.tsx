import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useSaving } from '../../../../parts/forms/saving.ts'
import { Dialog } from '../../../../parts/overlay/dialog.tsx'
import { Button } from '../../../../parts/show/button.tsx'
import { Moment } from '../../../../parts/show/moment.tsx'
import { Loaded, Skeleton } from '../../../../parts/show/skeleton.tsx'
import { type Resource, resource } from '../../../../platform/cache.ts'
import { answer, api, type Schemas } from '../../../../platform/client.ts'
import { inLanguage, nameOf } from '../../../../platform/language.ts'
import { type go, onward } from '../../../../platform/router.ts'
import { removeShown } from '../deleting.ts'
import { Dependents } from '../dependents.tsx'
import { t } from './texts.ts'

type Person = Pick<Schemas['UserProfile'], 'id' | 'username' | 'displayNameAr' | 'displayNameEn' | 'isActive'>
export type Owned = Pick<Schemas['UserInList'], 'noteCount' | 'orderCount'>

interface RemovalProps {
  person: Person
  /** The records that the account owns, if that is known. */
  owned: Owned | undefined
  /** Deactivates the account instead. */
  deactivate: () => void
  done: (goOn: typeof go) => void
  close: () => void
}

/** Deletes an account. If it owns anything, shows that first. */
export function Removal({ person, owned: known, deactivate, done, close }: RemovalProps) {
  const { id, isActive } = person
  const owned = useSignal(known)
  const { noteCount = 0, orderCount = 0 } = owned.value ?? {}
  const remove = (force: boolean) => answer(api.DELETE('/users/{id}', { params: { path: { id }, query: force ? { force } : {} } }))
  const removeAll = () =>
    removeShown({ noteCount, orderCount }, remove, (now) => {
      // The person has written something since the list was loaded, or since this dialog was opened.
      if (now) owned.value = now
    })
  const saving = useSaving(async () => {
    const goOn = onward()
    await removeAll()
    done(goOn)
  })
  const title = t.remove.title(nameOf(person))
  if (noteCount + orderCount > 0) {
    const path = { id }
    return (
      <Dependents
        title={t.remove.losing(nameOf(person), [
          ...(noteCount > 0 ? [t.remove.notes(noteCount)] : []),
          ...(orderCount > 0 ? [t.remove.orders(orderCount)] : []),
        ])}
        kinds={[
          {
            key: 'orders',
            text: t.remove.allOrders,
            count: orderCount,
            list: () => (
              <First of={resource('/users/{id}/dependents/orders', { path, query: { limit: SHOWN } })}>
                {({ serviceNameAr, serviceNameEn, createdAt }) => <Line name={inLanguage(serviceNameAr, serviceNameEn)} at={createdAt} />}
              </First>
            ),
          },
          {
            key: 'notes',
            text: t.remove.allNotes,
            count: noteCount,
            isAudited: true,
            list: () => (
              <First of={resource('/users/{id}/dependents/notes', { path, query: { limit: SHOWN } })}>
                {({ title, updatedAt }) => <Line name={title || t.remove.untitled} at={updatedAt} />}
              </First>
            ),
          },
        ]}
        instead={isActive ? [{ text: t.deactivate.yes, hint: t.remove.instead, run: deactivate }] : []}
        name={person.username}
        button={t.remove.force}
        remove={removeAll}
        done={done}
        close={close}
      />
    )
  }
  return (
    <Dialog
      title={title}
      close={close}
      end={
        <>
          <Button kind="danger" isBusy={saving.isBusy} onClick={() => saving.run()}>
            {t.remove.yes}
          </Button>
          {isActive ? (
            <Button kind="main" onClick={deactivate}>
              {t.deactivate.yes}
            </Button>
          ) : (
            <Button onClick={close}>{t.cancel}</Button>
          )}
        </>
      }
    >
      <p>{t.remove.nothing}</p>
      {isActive && <p>{t.remove.instead}</p>}
      <p class="error" role="alert">
        {saving.problem}
      </p>
    </Dialog>
  )
}

/** The maximum number of lost records that are listed. */
const SHOWN = 100

interface FirstProps<Row> {
  of: Resource<{ items: readonly Row[]; totalCount: number }>
  children: (row: Row) => ComponentChildren
}

/** The first rows of a list, and the number of further rows. */
const First = <Row extends { id: number }>({ of, children }: FirstProps<Row>) => (
  <Loaded of={of} shape={<Skeleton shape="line" height={2} />}>
    {({ items, totalCount }) => (
      <>
        <ul class="pages-of">
          {items.map((row) => (
            <li key={row.id}>{children(row)}</li>
          ))}
        </ul>
        {totalCount > items.length && <p class="quiet small">{t.remove.more(totalCount - items.length)}</p>}
      </>
    )}
  </Loaded>
)

const Line = ({ name, at }: { name: string; at: string }) => (
  <>
    <span class="grow">
      <bdi>{name}</bdi>
    </span>
    <span class="quiet small">
      <Moment at={at} />
    </span>
  </>
)
