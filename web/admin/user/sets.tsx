import { Consequences } from '../../parts/consequences/consequences.tsx'
import { useForeseen } from '../../parts/consequences/use-foreseen.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Form } from '../../parts/form/form.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { TitledLine } from '../../parts/lines.tsx'
import { listedOf, SetEditor } from '../../parts/set-editor/set-editor.tsx'
import { type Staged, sizeOf } from '../../parts/set-editor/staged.ts'
import { type Titled, titleOf } from '../../parts/title.ts'
import { answer, api } from '../../platform/client.ts'
import { matches } from '../../platform/folded.ts'
import { nameOf } from '../../platform/language.ts'
import { changeSets, directRolesOf, type Profile, roles } from './data.ts'
import { t } from './texts.ts'

type Item = Titled & { id: number }
interface Values {
  staged: Staged<Item>
}

/** The key of the group of all accounts. */
const EVERYONE = 'Everyone'

const nothing: Values = { staged: { add: [], remove: [] } }
const idOf = ({ id }: Item) => id
const namesIn = (items: readonly Item[]) => items.map(({ name }) => name)
const textsOf = ({ name, descriptionAr, descriptionEn }: Item) => [name, descriptionAr, descriptionEn]

const findGroups = (q: string) => answer(api.GET('/groups', { params: { query: { ...(q && { q: q.slice(0, 200) }), limit: 20 } } }))
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
      sizeOf(staged) === 0 ? undefined : { add: { [field]: staged.add.map(idOf) }, remove: { [field]: staged.remove.map(idOf) } },
    ask: (plan, signal) => answer(api.POST('/admin/impact', { body: { changes: [{ kind: 'user', id: person.id, ...plan }] }, signal })),
  })
  const form = useForm<Values>({
    from: nothing,
    foreseen: { said: () => foreseen.said() ?? '', of: async (values) => (await foreseen.of(values)) ?? '' },
    canUndo: true,
    saidOf: () => t.setSaved[what](nameOf(person)),
    after: close,
    // Sends differences, so that what others change in the meantime stays.
    async save({ staged }) {
      if (!staged) return undefined
      const { add, remove } = staged
      const set =
        what === 'groups'
          ? { addGroupIds: add.map(idOf), removeGroupIds: remove.map(idOf) }
          : { addRoleNames: namesIn(add), removeRoleNames: namesIn(remove) }
      await changeSets(person.id, set)
      return { from: nothing }
    },
  })
  const { staged } = form.values
  return (
    <Dialog class="user-sets" title={t.setsOf[what](nameOf(person))} close={close} isUnsaved={form.hasChanges}>
      <Form of={form} isWide class="beside">
        <SetEditor<Item>
          label={t[what]}
          addLabel={t.add[what]}
          id={idOf}
          name={titleOf}
          search={what === 'groups' ? findGroups : findRoles}
          eager
          list={(typed) => listedOf(items, typed, textsOf)}
          count={items.length}
          fixed={({ name }) => what === 'groups' && name === EVERYONE && t.everyone}
          isIn={({ id }) => items.some((item) => item.id === id)}
          staged={staged}
          change={(next) => form.set('staged', next)}
        >
          {(item) => <TitledLine of={item} />}
        </SetEditor>
        <Consequences of={foreseen} form={form} changes={sizeOf(staged)} />
      </Form>
    </Dialog>
  )
}
