import './style.css'
import { useEffect } from 'preact/hooks'
import type { PageProps } from '../../../addresses.ts'
import { useTitle } from '../../../frame/site.ts'
import { useShortcuts } from '../../../frame/use-shortcuts.ts'
import { NothingFits } from '../../../parts/lists/filters/nothing-fits.tsx'
import { useFilters } from '../../../parts/lists/filters/use-filters.ts'
import { useLastKnown } from '../../../parts/lists/last-known.ts'
import { useKept } from '../../../parts/lists/state.ts'
import { Hint } from '../../../parts/overlay/hint.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { Empty } from '../../../parts/show/empty.tsx'
import { Failed } from '../../../parts/show/failed.tsx'
import { Skeleton } from '../../../parts/show/skeleton.tsx'
import { Tabs } from '../../../parts/show/tabs.tsx'
import { formatNumber } from '../../../platform/language.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { isLeaving } from '../../../platform/removals.ts'
import { go, setQuery } from '../../../platform/router.ts'
import { officeDay } from '../shared/office.ts'
import { standing } from '../shared/standing.ts'
import { counts, fits, isMine, justDone, kinds, lastOf, oneTask, open, type Task, titleOf, underWay, undone } from './data.ts'
import { FilterBar } from './filter-bar.tsx'
import { ByDue, Rows } from './list.tsx'
import { NewTask, OneTask } from './one.tsx'
import { t } from './texts.ts'

const tabs = ['undone', 'done', 'cancelled'] as const
/** The number of closed tasks that are shown at first. */
const FIRST = 50

/** The keys of the list: next and previous task, and a new task for people who may add one. */
function useKeys(mayAdd: boolean) {
  const step = (by: 1 | -1) => () => {
    const links = [...document.querySelectorAll<HTMLElement>('.tasks-what > a')]
    const here = links.indexOf(document.activeElement as HTMLElement)
    links.at(here < 0 ? (by > 0 ? 0 : -1) : Math.min(Math.max(0, here + by), links.length - 1))?.focus()
  }
  const all = [
    { codes: ['KeyJ'], text: () => t.keys.next, run: step(1) },
    { codes: ['KeyK'], text: () => t.keys.former, run: step(-1) },
  ]
  if (mayAdd) all.push({ codes: ['KeyN'], text: () => t.keys.add, run: () => setQuery({ new: '1', open: '' }) })
  useShortcuts(all, [mayAdd])
}

/** The tasks of the office, the person's own first. */
export default function Tasks({ params }: PageProps) {
  const mayAdd = standing.data?.canMutate === true
  useKeys(mayAdd)
  // A notification links to the task by its id.
  const named = params['id']
  useEffect(() => {
    if (named) go(`/meetings/tasks?open=${named}`, { replace: true })
  }, [named])
  useEffect(() => {
    const forget = () => {
      justDone.value = new Map()
    }
    forget()
    return forget
  }, [])
  const most = useKept('most', FIRST)
  const { values, set } = useFilters(kinds)
  const { status, open: here } = values
  const opened = here === undefined ? undefined : oneTask(here)
  const isGone = opened?.error instanceof Refusal && opened.error.status === 404
  useTitle(isGone ? t.gone : opened?.data ? titleOf(opened.data) : t.title)
  const tab = status ?? 'undone'
  const last = status && lastOf(status, most.value)
  const closed = useLastKnown(last?.of.data, status)
  const all = (status ? closed?.toReversed() : undone())?.filter(({ id }) => !isLeaving('/executive-meetings/tasks/{id}', id))
  const failure = status ? (counts.error ?? last?.of.error) : (open.error ?? underWay.error)
  const filters = { assignee: values.assignee, meeting: values.meeting, due: status ? undefined : values.due }
  const tasks = all?.filter(fits(filters, officeDay()))
  const isFiltered = Object.values(filters).some((one) => one !== undefined)
  const clear = () => set({ assignee: undefined, meeting: undefined, due: undefined })
  const now = counts.data?.counts
  const many = { undone: now && now.open + now.in_progress, done: now?.done, cancelled: now?.cancelled }
  const refresh = () => {
    for (const one of [open, underWay, counts, ...(last ? [last.of] : [])]) one.refresh()
  }
  return (
    <>
      <div class="tasks-top">
        <h1>{t.title}</h1>
        {mayAdd && (
          <Button kind="main" icon="plus" aria-keyshortcuts="N" onClick={() => setQuery({ new: '1', open: '' })}>
            {t.add}
          </Button>
        )}
      </div>
      <Hint of="meetings/tasks">{t.purpose}</Hint>
      <FilterBar filters={filters} set={set} clear={isFiltered ? clear : undefined} tasks={all ?? []} isUndone={!status} />
      <Tabs
        label={t.status}
        value={tab}
        choose={(key) => set({ status: key === 'undone' ? undefined : key })}
        tabs={tabs.map((key) => ({ key, text: t.tabs[key], ...(many[key] !== undefined && { count: formatNumber(many[key]) }) }))}
      >
        <div class="tasks beside-page">
          <div>
            {tasks ? (
              <Lists
                tasks={tasks}
                here={here}
                tab={tab}
                clear={isFiltered ? clear : undefined}
                isOnePersons={typeof values.assignee === 'number'}
              />
            ) : failure ? (
              <Failed title={t.failed} failure={failure} retry={refresh} />
            ) : (
              <Skeleton />
            )}
            {last && last.count > most.value && (
              <Button
                onClick={() => {
                  most.value += FIRST
                }}
              >
                {t.earlier}
              </Button>
            )}
          </div>
          {here !== undefined ? (
            <OneTask key={here} id={here} />
          ) : (
            values.new &&
            mayAdd && <NewTask meeting={values.meeting} assignee={typeof values.assignee === 'number' ? values.assignee : undefined} />
          )}
        </div>
      </Tabs>
    </>
  )
}

interface ListsProps {
  tasks: readonly Task[]
  here: number | undefined
  tab: (typeof tabs)[number]
  clear: (() => void) | undefined
  isOnePersons: boolean
}

function Lists({ tasks, here, tab, clear, isOnePersons }: ListsProps) {
  if (tasks.length === 0)
    return clear ? (
      <NothingFits title={t.notFound} clear={clear} />
    ) : (
      <Empty icon="circle-check" title={{ undone: t.none, done: t.noneDone, cancelled: t.noneCancelled }[tab]}>
        {tab === 'undone' && t.noneHint}
      </Empty>
    )
  if (tab !== 'undone') return <Rows tasks={tasks} here={here} label={t.tabs[tab]} />
  if (isOnePersons) return <ByDue tasks={tasks} here={here} title={t.tabs.undone} />
  return (
    <>
      <ByDue tasks={tasks.filter(isMine)} here={here} title={t.mine} />
      <ByDue tasks={tasks.filter((task) => !isMine(task))} here={here} title={t.others} />
    </>
  )
}
