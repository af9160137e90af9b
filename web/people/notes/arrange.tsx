import { useId } from 'preact/hooks'
import { Dialog } from '../../parts/overlay/dialog.tsx'
import { Button } from '../../parts/show/button.tsx'
import { sayFailure } from '../../parts/show/failures.ts'
import { Icon } from '../../parts/show/icon.tsx'
import { addFolder, addLabel, type Color, changeNote, colors, type Folder, foldersOf, labels, type Note } from './data.ts'
import { isLeaving } from './later.ts'
import { NameForm } from './name-form.tsx'
import { t } from './texts.ts'

function ColorChoice({ value, choose }: { value: Color; choose: (color: Color) => void }) {
  const name = useId()
  return (
    <fieldset class="notes-colors">
      <legend>{t.color}</legend>
      {colors.map((color) => (
        <label key={color} data-color={color}>
          <input type="radio" class="unseen" name={name} checked={color === value} onChange={() => choose(color)} />
          <span class="notes-swatch">{color === value && <Icon name="check" />}</span>
          <span class="small">{t.colors[color]}</span>
        </label>
      ))}
    </fieldset>
  )
}

/** The person's folders, with a field for a new one. */
export function FolderChoice({ value, choose }: { value: number | null; choose: (id: number | null) => void }) {
  const name = useId()
  const all: Pick<Folder, 'id' | 'name'>[] = foldersOf('active').data?.filter(({ id }) => !isLeaving('/notes/folders/{id}', id)) ?? []
  return (
    <fieldset class="notes-choices">
      <legend>{t.folder}</legend>
      <label>
        <input type="radio" name={name} checked={value === null} onChange={() => choose(null)} />
        <span>{t.unfiled}</span>
      </label>
      {all.map((folder) => (
        <label key={folder.id}>
          <input type="radio" name={name} checked={folder.id === value} onChange={() => choose(folder.id)} />
          <bdi>{folder.name}</bdi>
        </label>
      ))}
      <NameForm kind="folder" add={async (typed) => choose((await addFolder(typed)).id)} />
    </fieldset>
  )
}

interface ChangedInPlace {
  note: Note
  close: () => void
}
const change = (note: Note, changes: Partial<Note>) => void changeNote(note, changes).catch(sayFailure)
const done = (close: () => void) => (
  <Button kind="main" onClick={close}>
    {t.close}
  </Button>
)

/** The colour of a note; a choice is saved at once. */
export const ColorDialog = ({ note, close }: ChangedInPlace) => (
  <Dialog title={t.color} close={close} end={done(close)}>
    <ColorChoice value={note.color} choose={(color) => change(note, { color })} />
  </Dialog>
)

/** The folder and labels of a note; each choice is saved at once. */
export function Arrange({ note, close }: ChangedInPlace) {
  const all = labels.data?.filter(({ id }) => !isLeaving('/notes/labels/{id}', id)) ?? []
  const put = (id: number, isOn: boolean) =>
    change(note, {
      labelIds: isOn ? [...note.labelIds, id].toSorted((one, other) => one - other) : note.labelIds.filter((one) => one !== id),
    })
  return (
    <Dialog title={t.arrange} close={close} end={done(close)}>
      <FolderChoice value={note.folderId} choose={(folderId) => change(note, { folderId })} />
      <fieldset class="notes-choices">
        <legend>{t.labels}</legend>
        {all.map(({ id, name, color }) => (
          <label key={id}>
            <input type="checkbox" checked={note.labelIds.includes(id)} onChange={(event) => put(id, event.currentTarget.checked)} />
            <span class="notes-dot" data-color={color} aria-hidden="true" />
            <bdi>{name}</bdi>
          </label>
        ))}
        <NameForm kind="label" add={async (typed) => put((await addLabel(typed)).id, true)} />
      </fieldset>
    </Dialog>
  )
}
