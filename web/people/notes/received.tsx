import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { SelectField } from '../../parts/forms/field.tsx'
import { Portions } from '../../parts/lists/portions.tsx'
import { SearchField } from '../../parts/lists/search-field.tsx'
import { Dialog } from '../../parts/overlay/dialog.tsx'
import { Menu } from '../../parts/overlay/menu.tsx'
import { Avatar } from '../../parts/show/avatar.tsx'
import { Button } from '../../parts/show/button.tsx'
import { Empty } from '../../parts/show/empty.tsx'
import { sayFailure } from '../../parts/show/failures.ts'
import { Icon } from '../../parts/show/icon.tsx'
import { Skeleton } from '../../parts/show/skeleton.tsx'
import { Tabs } from '../../parts/show/tabs.tsx'
import { ago } from '../../platform/ago.ts'
import { exactly } from '../../platform/dates.ts'
import { matches } from '../../platform/folded.ts'
import { nameOf } from '../../platform/language.ts'
import { at, queryValue, setQuery } from '../../platform/router.ts'
import { archiveReceived } from './acts.ts'
import { FolderChoice } from './arrange.tsx'
import { changeReceived, firstLineOf, foldersOf, nameOfNote, PART, type Received, receivedOf, type Status, type Tab } from './data.ts'
import { t } from './texts.ts'

const kinds = { unread: 'on', read: undefined, replied: 'blue', archived: undefined } as const

export const StatusChip = ({ status }: { status: Status }) => (
  <span class="chip" data-kind={kinds[status]}>
    {t.status[status]}
  </span>
)

/** Puts a received note into one of the reader's own folders. */
export function FileDialog({ row, close }: { row: Pick<Received, 'recipientRowId' | 'id' | 'folderId'>; close: () => void }) {
  return (
    <Dialog
      title={t.file}
      close={close}
      end={
        <Button kind="main" onClick={close}>
          {t.close}
        </Button>
      }
    >
      <FolderChoice value={row.folderId} choose={(folderId) => void changeReceived(row, { folderId }).catch(sayFailure)} />
    </Dialog>
  )
}

function Row({ note }: { note: Received }) {
  const isFiling = useSignal(false)
  const folder = foldersOf('active').data?.find(({ id }) => id === note.folderId)
  const isUnread = note.status === 'unread'
  const mark = (status: 'read' | 'unread') => void changeReceived(note, { status }).catch(sayFailure)
  return (
    <li class="notes-row" data-color={note.color} data-unread={isUnread || undefined} data-read={!isUnread || undefined}>
      <Avatar person={note.sender} size={40} />
      <div class="notes-row-text">
        <h2>
          <a href={at(`/notes/${note.id}`)} dir="auto">
            {nameOfNote(note)}
          </a>
        </h2>
        {note.title && (
          <p class="notes-line quiet">
            <bdi>{firstLineOf(note.content)}</bdi>
          </p>
        )}
        <p class="notes-foot small quiet">
          <bdi>{nameOf(note.sender)}</bdi>
          <time dateTime={note.sentAt} title={exactly(note.sentAt)}>
            {ago(note.sentAt)}
          </time>
          {folder && (
            <span class="chip">
              <Icon name="folder" size={14} />
              <bdi>{folder.name}</bdi>
            </span>
          )}
          {(isUnread || note.status === 'replied') && <StatusChip status={note.status} />}
        </p>
      </div>
      <Menu
        label={t.actsOn(nameOfNote(note))}
        face={<Icon name="ellipsis" />}
        items={[
          ...(note.status === 'archived'
            ? []
            : [
                {
                  text: isUnread ? t.markRead : t.markUnread,
                  icon: isUnread ? ('check' as const) : ('mail-dot' as const),
                  run: () => mark(isUnread ? 'read' : 'unread'),
                },
              ]),
          { text: t.file, icon: 'folder', run: () => (isFiling.value = true) },
          {
            text: note.status === 'archived' ? t.fromArchive : t.toArchive,
            icon: note.status === 'archived' ? 'archive-restore' : 'archive',
            run: () => archiveReceived(note),
          },
        ]}
      />
      {isFiling.value && <FileDialog row={note} close={() => (isFiling.value = false)} />}
    </li>
  )
}

/** A list with two tabs, current and archived. The tab is in the address. */
export function Halves({ children }: { children: (tab: Tab) => ComponentChildren }) {
  const tab = queryValue('tab') === 'archived' ? 'archived' : 'active'
  return (
    <Tabs
      label={t.tabs}
      value={tab}
      choose={(key) => setQuery({ tab: key === 'active' ? '' : key })}
      tabs={[
        { key: 'active', text: t.inbox },
        { key: 'archived', text: t.archivedOnes },
      ]}
    >
      {children(tab)}
    </Tabs>
  )
}

export const NothingFound = ({ typed }: { typed: string }) => (
  <Empty icon="search" title={t.nothingFound(typed)} act={<Button onClick={() => setQuery({ q: '' })}>{t.clearSearch}</Button>} />
)

export const shape = <Skeleton count={4} height={6} />

/** Received notes, newest first, of one folder if the address names it. */
export const ReceivedList = () => <Halves>{(tab) => <ReceivedHalf tab={tab} />}</Halves>

function ReceivedHalf({ tab }: { tab: Tab }) {
  const folder = queryValue('folder')
  const typed = queryValue('q')
  const folders = foldersOf('active').data ?? []
  const draw = (all: Received[], isOnly: boolean) => {
    const shown = all.filter(
      ({ status, folderId, title, content, sender }) =>
        (status === 'archived') === (tab === 'archived') &&
        (!folder || String(folderId) === folder) &&
        matches(typed, title, content, sender.displayNameAr, sender.displayNameEn, sender.username),
    )
    if (shown.length > 0)
      return (
        <ul class="notes-rows">
          {shown.map((note) => (
            <Row key={note.recipientRowId} note={note} />
          ))}
        </ul>
      )
    if (typed) return isOnly && <NothingFound typed={typed} />
    return (
      isOnly && (
        <Empty icon={tab === 'archived' ? 'archive' : 'inbox'} title={tab === 'archived' ? t.emptyArchive : t.emptyReceived}>
          {tab === 'archived' ? t.emptyArchiveHint : t.emptyReceivedHint}
        </Empty>
      )
    )
  }
  return (
    <>
      <div class="notes-filter">
        <SearchField label={t.searchReceived} value={typed} change={(q) => setQuery({ q })} />
        {folders.length > 0 && (
          <SelectField
            label={t.inFolder}
            value={folder}
            choose={(chosen) => setQuery({ folder: chosen })}
            choices={[{ value: '', text: t.anyFolder }, ...folders.map(({ id, name }) => ({ value: String(id), text: name }))]}
          />
        )}
      </div>
      <Portions name={`received ${tab} ${folder}`} of={(offset) => receivedOf(tab, folder, offset)} size={PART} shape={shape}>
        {draw}
      </Portions>
    </>
  )
}
