import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Menu } from '../../parts/overlay/menu.tsx'
import { sayFailure } from '../../parts/show/failures.ts'
import { Icon, type IconName } from '../../parts/show/icon.tsx'
import { formatNumber } from '../../platform/language.ts'
import { at, go, queryValue } from '../../platform/router.ts'
import { counted } from './counts.ts'
import { addFolder, addLabel, changeLabel, colors, type Folder, foldersOf, type Label, labels, renameFolder, type View } from './data.ts'
import { isLeaving, removeLater } from './later.ts'
import { NameField, NameForm } from './name-form.tsx'
import { t } from './texts.ts'

/** The view that the address names. */
export const viewOf = (): View => ({
  tab: queryValue('tab') === 'archived' ? 'archived' : 'active',
  folder: queryValue('folder'),
  label: queryValue('label'),
  q: queryValue('q'),
})

const addressOf = (place: { tab?: string; folder?: string; label?: string }) => {
  const query = new URLSearchParams(place).toString()
  return at(`/notes${query && `?${query}`}`)
}

interface PlaceProps {
  href: string
  isHere: boolean
  icon?: IconName
  face?: ComponentChildren
  count?: number | undefined
  children: ComponentChildren
}

function Place({ href, isHere, icon, face, count, children }: PlaceProps) {
  return (
    <a class="notes-place" href={href} aria-current={isHere ? 'true' : undefined}>
      {icon ? <Icon name={icon} size={18} /> : face}
      <span class="notes-place-name">
        <bdi>{children}</bdi>
      </span>
      {count !== undefined && count > 0 && (
        <span class="small numbers">
          <span aria-hidden="true">{formatNumber(count)}</span>
          <span class="unseen">{counted.notesIn(count)}</span>
        </span>
      )}
    </a>
  )
}

function FolderPlace({ folder, isHere }: { folder: Folder; isHere: boolean }) {
  const isNaming = useSignal(false)
  const { id, name } = folder
  if (isNaming.value)
    return <NameField kind="folder" value={name} save={(typed) => renameFolder(id, typed)} close={() => (isNaming.value = false)} />
  const remove = () => {
    removeLater('/notes/folders/{id}', id, t.folderRemoved(name))
    if (isHere) go('/notes', { replace: true })
  }
  return (
    <>
      <Place href={addressOf({ folder: String(id) })} isHere={isHere} icon="folder" count={folder.noteCount}>
        {name}
      </Place>
      <Menu
        label={t.actsOn(name)}
        face={<Icon name="ellipsis" size={18} />}
        items={[
          { text: t.rename, icon: 'pencil', run: () => (isNaming.value = true) },
          { text: t.remove, icon: 'trash-2', run: remove },
        ]}
      />
    </>
  )
}

function LabelPlace({ label, isHere }: { label: Label; isHere: boolean }) {
  const isNaming = useSignal(false)
  const { id, name, color } = label
  if (isNaming.value)
    return <NameField kind="label" value={name} save={(typed) => changeLabel(id, { name: typed })} close={() => (isNaming.value = false)} />
  const remove = () => {
    removeLater('/notes/labels/{id}', id, t.labelRemoved(name))
    if (isHere) go('/notes', { replace: true })
  }
  return (
    <>
      <Place
        href={addressOf({ label: String(id) })}
        isHere={isHere}
        face={
          <span class="notes-dot" data-color={color}>
            <span class="unseen">{t.colors[color]}</span>
          </span>
        }
      >
        {name}
      </Place>
      <Menu
        label={t.actsOn(name)}
        face={<Icon name="ellipsis" size={18} />}
        items={[
          { text: t.rename, icon: 'pencil', run: () => (isNaming.value = true) },
          { text: t.remove, icon: 'trash-2', run: remove },
          ...colors.map((one, index) => ({
            text: t.colors[one],
            checked: one === color,
            apart: index === 0,
            run: () => void changeLabel(id, { color: one }).catch(sayFailure),
          })),
        ]}
      />
    </>
  )
}

interface GroupProps<T> {
  title: string
  kind: 'folder' | 'label'
  all: T[]
  add: (name: string) => Promise<unknown>
  draw: (one: T) => ComponentChildren
}

const Group = <T extends { id: number }>({ title, kind, all, add, draw }: GroupProps<T>) => (
  <>
    <h2>{title}</h2>
    <ul>
      {all.map((one) => (
        <li key={one.id}>{draw(one)}</li>
      ))}
    </ul>
    <NameForm kind={kind} add={add} />
  </>
)

/** Folders, labels and the archive; created and changed in place. */
export function Places({ view }: { view: View }) {
  const isArchive = view.tab === 'archived'
  const folders = foldersOf('active').data?.filter(({ id }) => !isLeaving('/notes/folders/{id}', id)) ?? []
  const known = labels.data?.filter(({ id }) => !isLeaving('/notes/labels/{id}', id)) ?? []
  return (
    <div class="notes-places">
      <ul>
        <li>
          <Place href={addressOf({})} isHere={!isArchive && !view.folder && !view.label} icon="sticky-note">
            {t.all}
          </Place>
        </li>
        <li>
          <Place href={addressOf({ folder: 'none' })} isHere={view.folder === 'none'} icon="inbox">
            {t.unfiled}
          </Place>
        </li>
        <li>
          <Place href={addressOf({ tab: 'archived' })} isHere={isArchive} icon="archive">
            {t.archive}
          </Place>
        </li>
      </ul>
      <Group
        title={t.folders}
        kind="folder"
        all={folders}
        add={addFolder}
        draw={(folder) => <FolderPlace folder={folder} isHere={view.folder === String(folder.id)} />}
      />
      <Group
        title={t.labels}
        kind="label"
        all={known}
        add={addLabel}
        draw={(label) => <LabelPlace label={label} isHere={view.label === String(label.id)} />}
      />
    </div>
  )
}
