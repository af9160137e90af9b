import './style.css'
import { useTitle } from '../../../frame/site.ts'
import { useShortcuts } from '../../../frame/use-shortcuts.ts'
import { NothingFits } from '../../../parts/lists/filters/nothing-fits.tsx'
import { Pick, Picks, SearchPick } from '../../../parts/lists/filters/picks.tsx'
import { id, oneOf } from '../../../parts/lists/filters/reading.ts'
import { useFilters } from '../../../parts/lists/filters/use-filters.ts'
import { useSteady } from '../../../parts/lists/table/steady.ts'
import { Table, type TableColumn, tableKeys } from '../../../parts/lists/table/table.tsx'
import { Hint } from '../../../parts/overlay/hint.tsx'
import { Avatar } from '../../../parts/show/avatar.tsx'
import { Empty } from '../../../parts/show/empty.tsx'
import { EndChip } from '../../../parts/show/ends/end-chip.tsx'
import { PersonLine, TitledLine } from '../../../parts/show/lines.tsx'
import { Moment } from '../../../parts/show/moment.tsx'
import { type Titled, titleOf } from '../../../parts/show/title.ts'
import { groupIn } from '../../../people/my-access/data.ts'
import { resource } from '../../../platform/cache.ts'
import { formatNumber, nameOf } from '../../../platform/language.ts'
import { useList } from '../../../platform/list.ts'
import { at } from '../../../platform/router.ts'
import { type Person, searchGroups, searchPeople } from '../shared/directory.ts'
import { type Request, statuses, waiting } from './data.ts'
import { t } from './texts.ts'

const idOf = (request: Request) => request.id
const kinds = { status: oneOf(...statuses), group: id, user: id }
const colours = { pending: 'blue', approved: 'on', denied: 'danger', withdrawn: undefined, lapsed: undefined } as const

const lengthOf = ({ days }: Request) => (days === null ? t.endless : t.days(days))

function Status({ of }: { of: Request }) {
  const { status, lapseReason, approvals, neededApprovals, grantEndsAt } = of
  return (
    <span class="requests-all-status">
      <span class="requests-all-line">
        <span class="chip" data-kind={colours[status]}>
          {t.statuses[status]}
        </span>
        {status === 'pending' && neededApprovals > 1 && (
          <span class="quiet small">{t.approvals(formatNumber(approvals.length), formatNumber(neededApprovals))}</span>
        )}
        {status === 'approved' && <EndChip at={grantEndsAt} />}
      </span>
      {lapseReason && <span class="quiet small grid-line">{t.lapses[lapseReason]}</span>}
    </span>
  )
}

const columnsOf = (): TableColumn<Request>[] => [
  {
    key: 'person',
    head: t.heads.person,
    width: 'minmax(9rem, 1.4fr)',
    cell: (request) => (
      <>
        <Avatar person={request.requester} size={36} />
        <span class="requests-all-who">
          <a class="grid-link grid-line" href={at(`/access/requests/${request.id}`)}>
            <bdi>{nameOf(request.requester)}</bdi>
          </a>
          <span class="quiet small grid-line">
            <bdi class="requests-all-narrow">{groupIn(request)}</bdi> {lengthOf(request)}
          </span>
        </span>
      </>
    ),
  },
  {
    key: 'group',
    head: t.heads.group,
    from: 40,
    width: 'minmax(8rem, 1.2fr)',
    cell: (request) => <bdi class="grid-line">{groupIn(request)}</bdi>,
  },
  { key: 'status', head: t.heads.status, width: 'minmax(7.5rem, 1.1fr)', cell: (request) => <Status of={request} /> },
  {
    key: 'decided',
    head: t.heads.decided,
    from: 56,
    width: 'minmax(8rem, 1fr)',
    cell: ({ decidedBy }) => decidedBy && <bdi class="grid-line">{nameOf(decidedBy)}</bdi>,
  },
  {
    key: 'at',
    head: t.heads.at,
    from: 48,
    width: 'minmax(6rem, 0.7fr)',
    cell: ({ createdAt }) => (
      <span class="quiet small">
        <Moment at={createdAt} />
      </span>
    ),
  },
]

/** The id as a text, shown while a name is loading or if it is unknown. */
const numbered = (one: number) => formatNumber(one, { useGrouping: false })

/** All requests to join groups, for administrators. */
export default function AllRequests() {
  useTitle(t.title)
  useShortcuts(tableKeys)
  const { values, set } = useFilters(kinds)
  const { status, group, user } = values
  const query = {
    view: 'all' as const,
    ...(status && { status }),
    ...(group !== undefined && { groupId: group }),
    ...(user !== undefined && { userId: user }),
  }
  const steady = useSteady(useList('/access-requests', query), idOf, JSON.stringify(query))
  const chosenGroup = group === undefined ? undefined : resource('/groups/{id}', { path: { id: group } }).data
  const chosenPerson = user === undefined ? undefined : resource('/users/{id}', { path: { id: user } }).data
  const pending = waiting.data?.totalCount
  const isFiltered = Object.values(values).some((value) => value !== undefined)
  const clear = () => set({ status: undefined, group: undefined, user: undefined })
  return (
    <>
      <h1>{t.title}</h1>
      <p class="requests-all-first">{pending === undefined ? '\u00a0' : t.waiting(pending)}</p>
      <Hint of="admin/requests">{t.purpose}</Hint>
      <div class="requests-all-filters">
        <Picks clear={isFiltered ? clear : undefined}>
          <Pick
            label={t.status}
            all={t.allStatuses}
            value={status}
            choices={statuses.map((value) => ({ value, text: t.statuses[value] }))}
            choose={(chosen) => set({ status: chosen })}
          />
          <SearchPick<Titled & { id: number }>
            label={t.group}
            all={t.allGroups}
            chosen={group === undefined ? undefined : chosenGroup ? titleOf(chosenGroup) : numbered(group)}
            find={searchGroups}
            id={(one) => one.id}
            choose={(one) => set({ group: one?.id })}
          >
            {(one) => <TitledLine of={one} />}
          </SearchPick>
          <SearchPick<Person>
            label={t.person}
            all={t.everyone}
            chosen={user === undefined ? undefined : chosenPerson ? nameOf(chosenPerson) : numbered(user)}
            find={searchPeople}
            id={(one) => one.id}
            choose={(one) => set({ user: one?.id })}
          >
            {(one) => <PersonLine person={one} size={32} />}
          </SearchPick>
        </Picks>
      </div>
      <div {...steady.hand}>
        <Table<Request>
          label={t.title}
          list={steady.list}
          columns={columnsOf()}
          id={idOf}
          name={(request) => `${nameOf(request.requester)}, ${groupIn(request)}`}
          height={4.25}
          failed={t.failed}
        >
          {isFiltered ? (
            <NothingFits title={t.nothing} clear={clear} />
          ) : (
            <Empty
              icon="hand"
              title={t.none}
              act={
                <a class="button" href={at('/admin/groups')}>
                  {t.toGroups}
                </a>
              }
            >
              {t.noneHint}
            </Empty>
          )}
        </Table>
      </div>
    </>
  )
}
