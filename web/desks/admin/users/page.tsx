import './style.css'
import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { useTitle } from '../../../frame/site.ts'
import { useShortcuts } from '../../../frame/use-shortcuts.ts'
import { useSettled } from '../../../parts/forms/settled.ts'
import { id, oneOf, text } from '../../../parts/lists/filters/reading.ts'
import { useFilters } from '../../../parts/lists/filters/use-filters.ts'
import { SearchField } from '../../../parts/lists/search-field.tsx'
import { useChoice } from '../../../parts/lists/table/choice.ts'
import { useSteady } from '../../../parts/lists/table/steady.ts'
import { Table, type TableColumn, tableKeys } from '../../../parts/lists/table/table.tsx'
import { addressDialog } from '../../../parts/overlay/address-dialog.ts'
import { Hint } from '../../../parts/overlay/hint.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { Empty } from '../../../parts/show/empty.tsx'
import { lazily } from '../../../parts/show/lazily.tsx'
import { learned } from '../../../platform/hints.ts'
import { formatNumber, nameOf } from '../../../platform/language.ts'
import { useList } from '../../../platform/list.ts'
import { setQuery } from '../../../platform/router.ts'
import { type Asked, PersonDialog } from '../shared/person-acts/dialog.tsx'
import { Seen } from '../shared/person-acts/seen.tsx'
import { ChosenActs, Join, type Refused, RefusedList } from './acts.tsx'
import { GroupsCell, PersonCell, RolesCell, RowMenu } from './cells.tsx'
import { type Chosen, countAll, filterOf, orders, type Person, queryOf, seens } from './data.ts'
import { PeopleFilters } from './filters.tsx'
import type { Invited } from './invite.tsx'
import { t } from './texts.ts'

const Invite = lazily(async () => (await import('./invite.tsx')).Invite)
const FromFile = lazily(async () => (await import('./from-file.tsx')).FromFile)

const idOf = ({ id }: Person) => id
const adding = addressDialog('add')
const invite = () => adding.open('person')

/** The columns that can be sorted, with their names in the address. */
const sorts: Record<string, (typeof orders)[number]> = { name: 'name', '-name': '-name', seen: 'seen', '-seen': '-seen' }

/** The filters in the address. */
const kinds = {
  q: text,
  status: oneOf('active', 'disabled'),
  group: id,
  source: id,
  role: text,
  seen: oneOf(...seens),
  sort: oneOf(...orders),
}

/** All people with an account: to search, to invite, and to change many at once. */
export default function Users() {
  useTitle(t.title)
  const { values, set } = useFilters(kinds)
  const settled = useSettled(values.q)
  const typed = (values.q && settled) ?? ''
  const filters = { ...values, q: typed }
  const filter = filterOf(filters)
  const query = queryOf(filters, values.sort)
  const steady = useSteady(useList('/users', query), idOf, JSON.stringify(query))
  const { list } = steady
  const choice = useChoice<Person>(list, idOf, JSON.stringify(filter))
  const asked = useSignal<Asked | undefined>(undefined)
  const joining = useSignal<Chosen | undefined>(undefined)
  const invited = useSignal<Invited | undefined>(undefined)
  const refused = useSignal<readonly Refused[]>([])
  const latest = useRef(choice)
  latest.current = choice
  useShortcuts(tableKeys)
  useShortcuts([{ codes: ['KeyN'], text: () => t.invite, run: invite }])

  const chosen = (): Chosen => (choice.isAll ? { filter } : { ids: choice.rows.map(({ id }) => id) })
  const isFiltered = Object.keys(filter).length > 0
  const clear = () => set({ q: undefined, status: undefined, group: undefined, source: undefined, role: undefined, seen: undefined })
  const ask = (wanted: Asked) => {
    learned('admin/users')
    asked.value = wanted
  }
  const columns: TableColumn<Person>[] = [
    {
      key: 'name',
      head: t.name,
      width: 'minmax(14rem, 2.2fr)',
      sort: 'ascending',
      cell: (person) => <PersonCell person={person} typed={typed} isGone={steady.isGone(person)} />,
    },
    { key: 'groups', head: t.groups, width: 'minmax(9rem, 1.6fr)', from: 44, cell: (person) => <GroupsCell person={person} /> },
    { key: 'roles', head: t.roles, width: 'minmax(8rem, 1.3fr)', from: 54, cell: (person) => <RolesCell person={person} /> },
    {
      key: 'seen',
      head: t.seen,
      width: '8.5rem',
      from: 44,
      sort: 'descending',
      cell: (person) => (
        <span class="users-quiet">
          <Seen at={person.lastSeenAt} />
        </span>
      ),
    },
    {
      key: 'menu',
      head: t.acts,
      isUnnamed: true,
      width: '3.25rem',
      from: 24,
      cell: (person) => (
        <RowMenu
          person={person}
          ask={ask}
          join={({ id }) => {
            joining.value = { ids: [id] }
          }}
        />
      ),
    },
  ]
  const all = countAll()
  const file = /^file(?:-(\d+))?$/.exec(adding.opened())
  const isAlone = !isFiltered && list.total === 1
  return (
    <>
      <div class="users-head">
        <h1>{t.title}</h1>
        <span class="grow" />
        <Button kind="plain" icon="upload" aria-label={t.fromFile} onClick={() => adding.open('file')}>
          <span class="users-long">{t.fromFile}</span>
        </Button>
        <Button kind="main" icon="user-plus" onClick={invite}>
          {t.invite}
        </Button>
      </div>
      <Hint of="admin/users">{t.purpose}</Hint>
      <div class="users-filters" role="search">
        <SearchField label={t.search} value={values.q ?? ''} change={(q) => set({ q: q || undefined })} />
        <PeopleFilters values={values} set={set} groupOf={(id) => groupIn(list.at(0), id)} />
      </div>
      <p class="quiet small users-found" role="status">
        {!isFiltered && all !== undefined && t.people(all)}
        {isFiltered && list.total !== undefined && !list.isFormer && (
          <>
            <strong>{t.found(list.total)}</strong> {all !== undefined && list.total > 0 && t.of(formatNumber(all))}
            {list.total > 0 && (
              <button type="button" class="link" onClick={clear}>
                {t.clear}
              </button>
            )}
          </>
        )}
      </p>
      <RefusedList
        refused={refused.value}
        dismiss={() => {
          refused.value = []
        }}
      />
      <div {...steady.hand}>
        {steady.news > 0 && (
          <Button class="button users-news" onClick={steady.show}>
            {t.news(steady.news)}
          </Button>
        )}
        <Table
          label={t.title}
          list={list}
          columns={columns}
          id={idOf}
          name={nameOf}
          height={4.25}
          choice={choice}
          sorting={values.sort ?? 'name'}
          sort={(by) => set({ sort: sorts[by] })}
          failed={t.failed}
        >
          <Empty icon="users" title={t.nobody} act={<Button onClick={clear}>{t.clear}</Button>} />
        </Table>
      </div>
      {isAlone && (
        <Empty
          icon="user-plus"
          title={t.empty}
          act={
            <Button kind="main" onClick={invite}>
              {t.invite}
            </Button>
          }
        />
      )}
      <ChosenActs
        choice={choice}
        list={list}
        chosen={chosen}
        isAllOff={values.status === 'disabled'}
        join={() => {
          joining.value = chosen()
        }}
        refused={(failed) => {
          refused.value = failed
        }}
      />
      <PersonDialog
        asked={asked.value}
        close={() => {
          asked.value = undefined
        }}
      />
      {joining.value && (
        <Join
          chosen={joining.value}
          close={() => {
            joining.value = undefined
          }}
          done={(failed) => {
            latest.current.clear()
            refused.value = failed
          }}
        />
      )}
      {(adding.opened() === 'person' || invited.value) && (
        <Invite invited={invited} open={() => adding.opened() || invite()} close={() => adding.close()} />
      )}
      {file && <FromFile id={Number(file[1]) || undefined} show={(id) => setQuery({ add: `file-${id}` })} close={() => adding.close()} />}
    </>
  )
}

/** The group with this id, if the person is a member of it. */
const groupIn = (person: Person | undefined, id: number) => person?.groups.find((group) => group.id === id)
