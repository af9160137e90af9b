import { useRef } from 'preact/hooks'
import { Form, Save } from '../../../parts/forms/form/form.tsx'
import { useForm } from '../../../parts/forms/form/use-form.ts'
import { Dialog } from '../../../parts/overlay/dialog.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { isolated } from '../../../platform/language.ts'
import { go } from '../../../platform/router.ts'
import { createGroup, noGroup, type Values } from '../shared/group/data.ts'
import { Texts } from '../shared/group/fields.tsx'
import { Apps, emptySets, Members, Roles } from '../shared/group/sets.tsx'
import { t as words } from '../shared/group/texts.ts'
import { t } from './texts.ts'

/** Creates a group with its members, roles and apps in one call, and opens its page. */
export function NewGroup({ close }: { close: () => void }) {
  const made = useRef(0)
  const form = useForm<Values>({
    from: noGroup,
    draft: 'group:new',
    fieldOf: { name_taken: 'name' },
    async save(_changed, _version, all) {
      made.current = (await createGroup(all)).id
    },
    after(isThere) {
      if (isThere) go(`/admin/groups/${made.current}`, { replace: true })
    },
    saidOf: ({ name = '' }) => t.created(isolated(name)),
  })
  const sets = [
    { key: 'members', set: <Members form={form} group={emptySets} /> },
    { key: 'roles', set: <Roles form={form} group={emptySets} /> },
    { key: 'apps', set: <Apps form={form} group={emptySets} /> },
  ] as const
  return (
    <Dialog title={t.newGroup} class="group-new" close={close} isUnsaved={() => false}>
      <Form of={form} class="group-sets">
        <Texts form={form} />
        {sets.map(({ key, set }) => (
          <section key={key}>
            <h3>{words.sets[key]}</h3>
            {set}
          </section>
        ))}
        <div class="dialog-end">
          <Button kind="plain" onClick={close}>
            {t.cancel}
          </Button>
          <Save of={form} text={t.make} />
        </div>
      </Form>
    </Dialog>
  )
}
