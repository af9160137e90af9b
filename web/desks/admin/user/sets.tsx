import { Form } from '../../../parts/forms/form/form.tsx'
import { useForm } from '../../../parts/forms/form/use-form.ts'
import { listedOf } from '../../../parts/lists/set-editor/props.ts'
import { SetEditor } from '../../../parts/lists/set-editor/set-editor.tsx'
import { endsToGive, type Staged, sizeOf } from '../../../parts/lists/set-editor/staged.ts'
import { useUnsaved } from '../../../parts/lists/set-editor/use-unsaved.ts'
import { Consequences } from '../../../parts/overlay/consequences/consequences.tsx'
import { useForeseen } from '../../../parts/overlay/consequences/use-foreseen.ts'
import { Dialog } from '../../../parts/overlay/dialog.tsx'
import { TitledLine } from '../../../parts/show/lines.tsx'
import { type Titled, titleOf } from '../../../parts/show/title.ts'
import { answer, api } from '../../../platform/client.ts'
import { matches } from '../../../platform/folded.ts'
import { nameOf } from '../../../platform/language.ts'
import { searchGroups } from '../shared/directory.ts'
import { giveMembership, giveRole } from '../shared/ends/data.ts'
import { EndsSaid } from '../shared/ends/said.tsx'
import { changeSets, directRolesOf, type Profile, personChanged, roles } from './data.ts'
import { endsOf } from './ends.ts'
import { t } from './texts.ts'

type Item = Titled & { id: number }
interface Values {
  staged: Staged<Item>
}

/** The keys of the group and of the role of all accounts. Membership in them cannot be given an end. */
const EVERYONE = 'Everyone'
const USER = 'user'

const nothing: Values = { staged: { add: [], remove: [] } }
const idOf = ({ id }: Item) => id
const namesIn = (items: readonly Item[]) => items.map(({ name }) => name)
const textsOf = ({ name, descriptionAr, descriptionEn }: Item) => [name, descriptionAr, descriptionEn]

const findRoles = async (q: string) => (await roles.load()).filter((role) => matches(q, ...textsOf(role)))

interface SetsProps {
  what: 'groups' | 'roles'
  person: Profile
  close: () => void
}

/** Edits a person's groups or direct roles as a whole, beside a preview of the apps gained and lost. */
export function Sets({ what, person, close }: SetsProps) {
  const items: readonly Item[] = what === 'groups' ? person.groups : directRolesOf(person)
  const field = what === 'groups' ? 'groupIds' : 'roleIds'
  const foreseen = useForeseen<Values, { add: object; remove: object }>({
    plan: ({ staged }) =>
      staged.add.length + staged.remove.length === 0
        ? undefined
        : { add: { [field]: staged.add.map(idOf) }, remove: { [field]: staged.remove.map(idOf) } },
    ask: (plan, signal) => answer(api.POST('/admin/impact', { body: { changes: [{ kind: 'user', id: person.id, ...plan }] }, signal })),
  })
  const form = useForm<Values>({
    from: nothing,
    foreseen,
    canUndo: true,
    saidOf: () => t.setSaved[what](nameOf(person)),
    after: (isThere) => isThere && close(),
    // Send differences, so that changes that somebody else makes at the same time are not lost.
    async save({ staged }) {
      if (!staged) return undefined
      const given = endsToGive(staged)
      const later = new Set(given.map(({ item }) => item.id))
      const { remove } = staged
      const add = staged.add.filter(({ id }) => !later.has(id))
      const set =
        what === 'groups'
          ? { addGroupIds: add.map(idOf), removeGroupIds: remove.map(idOf) }
          : { addRoleNames: namesIn(add), removeRoleNames: namesIn(remove) }
      if (add.length + remove.length > 0) await changeSets(person.id, set)
      try {
        for (const { item, to } of given)
          await (what === 'groups' ? giveMembership(item.id, person.id, to) : giveRole(person.id, item.name, to))
      } finally {
        if (given.length > 0) personChanged(person.id)
      }
      return { from: nothing }
    },
  })
  const { staged } = form.values
  const ends = endsOf(person)[what]
  const endNow = ({ id }: Item) => ends.get(id) ?? null
  useUnsaved({ isBusy: form.isBusy, staged, ids: items.map(idOf), endNow, change: (left) => form.set('staged', left) })
  return (
    <Dialog class="user-sets" title={t.setsOf[what](nameOf(person))} close={close} isUnsaved={form.hasChanges}>
      <Form of={form} isWide class="beside">
        <SetEditor<Item>
          label={t[what]}
          addLabel={t.add[what]}
          id={idOf}
          name={titleOf}
          search={what === 'groups' ? searchGroups : findRoles}
          eager
          list={(typed) => listedOf(items, typed, textsOf)}
          count={items.length}
          fixed={({ name }) => what === 'groups' && name === EVERYONE && t.everyone}
          isIn={({ id }) => items.some((item) => item.id === id)}
          ends={{ now: endNow, isFixed: ({ name }) => name === (what === 'groups' ? EVERYONE : USER) }}
          staged={staged}
          change={(next) => form.set('staged', next)}
        >
          {(item) => <TitledLine of={item} />}
        </SetEditor>
        <Consequences of={foreseen} form={form} changes={sizeOf(staged)}>
          <EndsSaid of={staged} name={titleOf} />
        </Consequences>
      </Form>
    </Dialog>
  )
}
