import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { Calendar, dayInWords } from '../../../parts/forms/calendar/calendar.tsx'
import { useDrawn } from '../../../parts/forms/saving.ts'
import { DaysPick } from '../../../parts/lists/filters/days-pick.tsx'
import { Picks, SearchPick } from '../../../parts/lists/filters/picks.tsx'
import { day, id } from '../../../parts/lists/filters/reading.ts'
import { t as filters } from '../../../parts/lists/filters/texts.ts'
import { useFilters } from '../../../parts/lists/filters/use-filters.ts'
import { utcDay } from '../../../parts/lists/filters/utc-day.ts'
import { Popover } from '../../../parts/overlay/popover.tsx'
import { say } from '../../../parts/overlay/toasts.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { Previewed } from '../../../parts/show/history/previewed.tsx'
import { t as past } from '../../../parts/show/history/texts.ts'
import { Icon } from '../../../parts/show/icon.tsx'
import { PersonLine } from '../../../parts/show/lines.tsx'
import { Loaded, Skeleton } from '../../../parts/show/skeleton.tsx'
import { titleOf } from '../../../parts/show/title.ts'
import { resource } from '../../../platform/cache.ts'
import type { Schemas } from '../../../platform/client.ts'
import { shortDay } from '../../../platform/dates.ts'
import { nameOf } from '../../../platform/language.ts'
import { at, setQuery } from '../../../platform/router.ts'
import { foresee, type Person, permissions, searchPeople } from '../shared/directory.ts'
import { type HistoryFilter, historyOf, permissionsOf, type Role, refreshLists, savePermissions } from '../shared/role/data.ts'
import { SetHistory } from '../shared/set-history.tsx'
import { t } from './texts.ts'

const kinds = { actor: id, from: day, to: day, on: day }

/** The titles of permissions; for deleted ones, from the entry. Unknown permissions are left out. */
function namesOf(ids: readonly number[], refs: Schemas['RolePermissionAuditEntry']['refs']) {
  const known = new Map(permissions.data?.map((permission) => [permission.id, permission]))
  return ids.flatMap((id) => {
    const found = known.get(id) ?? refs.permissions?.[String(id)]
    return found ? [titleOf(found)] : []
  })
}

/** The history of a role's permissions. A change can be reverted, and the whole set restored to a day. */
export function RoleHistory({ role }: { role: Role }) {
  const { id } = role
  const {
    values: { actor, from, to, on },
    set,
  } = useFilters(kinds)
  const filter: HistoryFilter = { ...(actor && { actorUserId: actor }), ...(from && { from }), ...(to && { to }) }
  return (
    <Loaded of={permissions}>
      {() => (
        <>
          <div class="role-filters">
            <Picks>
              <Actor id={actor} choose={(one) => set({ actor: one })} />
              <DaysPick from={from} to={to} change={(days) => set({ from: days.from, to: days.to })} />
              <OnDay day={on ?? ''} choose={(one) => set({ on: one })} />
            </Picks>
            <a class="button" data-kind="plain" href={at(`/api/roles/${id}/audit.csv`)} download>
              <Icon name="download" />
              {t.export}
            </a>
          </div>
          <Now id={id} />
          {on && <AsOn key={on} role={role} day={on} />}
          <SetHistory
            key={JSON.stringify(filter)}
            kind="role"
            of={(offset) => historyOf(id, filter, offset)}
            sentence={(_, by, added, removed) =>
              [
                ...(removed ? [t.took(by, removed)] : []),
                ...(added ? [t.gave(by, added)] : []),
                ...(added || removed ? [] : [t.unchanged(by)]),
              ].join(t.next)
            }
            namesOf={({ newPermissionIds, addedPermissionIds, removedPermissionIds, refs }) => ({
              added: namesOf(addedPermissionIds, refs),
              removed: namesOf(removedPermissionIds, refs),
              same: namesOf(
                newPermissionIds.filter((one) => !addedPermissionIds.includes(one)),
                refs,
              ),
            })}
            done={() => {
              permissionsOf(id).refresh()
              refreshLists(id)
            }}
          />
        </>
      )}
    </Loaded>
  )
}

/** Chooses the day whose permissions are shown. */
const OnDay = ({ day, choose }: { day: string; choose: (day: string | undefined) => void }) => (
  <Popover
    class={day ? 'pick pick-on' : 'pick'}
    label={day ? t.wasOn(shortDay(day, 'UTC')) : t.asOn}
    face={
      <>
        <Icon name="history" size={16} />
        <span>{day ? t.wasOn(shortDay(day, 'UTC')) : t.asOn}</span>
      </>
    }
  >
    {(close) => (
      <>
        <Calendar
          isFocused
          label={t.asOn}
          value={day}
          max={utcDay()}
          now={utcDay()}
          choose={(on) => {
            close()
            choose(on)
          }}
        />
        <p class="quiet small">{filters.utc}</p>
        {day && (
          <Button
            kind="plain"
            onClick={() => {
              close()
              choose(undefined)
            }}
          >
            {t.onlyToday}
          </Button>
        )}
      </>
    )}
  </Popover>
)

/** Narrows the history to one person's changes. */
function Actor({ id, choose }: { id: number | undefined; choose: (id: number | undefined) => void }) {
  const chosen = id === undefined ? undefined : resource('/users/{id}', { path: { id } }).data
  return (
    <SearchPick<Person>
      label={t.actor}
      all={t.anyone}
      chosen={id === undefined ? undefined : chosen ? nameOf(chosen) : String(id)}
      find={searchPeople}
      id={(person) => person.id}
      choose={(person) => choose(person?.id)}
    >
      {(person) => <PersonLine person={person} size={32} />}
    </SearchPick>
  )
}

/** The permissions that the role grants today. */
const Now = ({ id }: { id: number }) => (
  <Loaded of={permissionsOf(id)} shape={<Skeleton count={1} height={2.5} />}>
    {(granted) => <Granted label={t.now} names={granted.map(titleOf)} />}
  </Loaded>
)

const Granted = ({ label, names }: { label: string; names: readonly string[] }) => (
  <p class="role-now">
    <span>{label}</span>
    {names.map((name) => (
      <bdi key={name} class="chip">
        {name}
      </bdi>
    ))}
    {names.length === 0 && <span class="quiet">{t.nothing}</span>}
  </p>
)

/** The permissions that the role granted at the end of a day (UTC), and a button to restore them. */
function AsOn({ role: { id }, day }: { role: Role; day: string }) {
  const until = resource('/roles/{id}/audit', { path: { id }, query: { to: day, limit: 1 } })
  const now = permissionsOf(id)
  const isOpen = useSignal(false)
  const isDrawn = useDrawn()
  /** The version of the permissions whose change the preview shows. */
  const previewed = useRef<string | undefined>(undefined)
  return (
    <Loaded of={until} shape={<Skeleton count={1} height={4} />}>
      {({ entries: [last] }) => {
        // Permissions deleted since then cannot be granted again.
        const ids = (last?.newPermissionIds ?? []).filter((one) => permissions.data?.some((permission) => permission.id === one))
        const present = (now.data ?? []).map((permission) => permission.id)
        const isSame = new Set(ids).symmetricDifference(new Set(present)).size === 0
        async function restore() {
          await savePermissions(id, [...ids], previewed.current)
          if (isDrawn()) setQuery({ on: '' })
          refreshLists(id)
          say({ text: past.done })
        }
        return (
          <section class="card role-day">
            <Granted label={t.wasOn(dayInWords(day))} names={last ? namesOf(last.newPermissionIds, last.refs) : []} />
            <p class="quiet small">{filters.utc}</p>
            {isSame ? (
              <p class="quiet">{t.sameAsNow}</p>
            ) : isOpen.value ? (
              <Previewed
                title={t.restoreDay}
                verb={past.putBack}
                icon="undo-2"
                ask={async () => {
                  previewed.current = now.version
                  return { impact: await foresee([{ kind: 'role', id, set: { permissionIds: [...ids] } }]) }
                }}
                run={restore}
                close={() => {
                  isOpen.value = false
                  requestAnimationFrame(() => document.querySelector<HTMLElement>('.role-day > .button')?.focus())
                }}
              />
            ) : (
              <Button
                icon="undo-2"
                onClick={() => {
                  isOpen.value = true
                }}
              >
                {t.restoreDay}
              </Button>
            )}
          </section>
        )
      }}
    </Loaded>
  )
}
