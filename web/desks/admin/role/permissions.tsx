import { useEffect } from 'preact/hooks'
import { Form } from '../../../parts/forms/form/form.tsx'
import { isSame } from '../../../parts/forms/form/merging.ts'
import { rereading, useForm } from '../../../parts/forms/form/use-form.ts'
import { Consequences } from '../../../parts/overlay/consequences/consequences.tsx'
import { useForeseen } from '../../../parts/overlay/consequences/use-foreseen.ts'
import { Button } from '../../../parts/show/button.tsx'
import { TitledLine } from '../../../parts/show/lines.tsx'
import { Loaded } from '../../../parts/show/skeleton.tsx'
import { titleOf } from '../../../parts/show/title.ts'
import { foresee, lastEditor, type Permission, type PlannedChange, permissions } from '../shared/directory.ts'
import { KnownSet } from '../shared/known-set.tsx'
import { type Granted, grantedIn, permissionsOf, type Role, savePermissions } from '../shared/role/data.ts'
import { t } from './texts.ts'

interface PermissionsProps {
  role: Role
  /** Copies the role. Offered for roles whose permissions are fixed. */
  copy: () => void
  /** Called when unsaved changes begin or end. */
  edit: (isEditing: boolean) => void
}

/** Edits the permissions of a role. The permissions of the portal's own roles are fixed. */
export function PermissionsForm({ role, copy, edit }: PermissionsProps) {
  const granted = permissionsOf(role.id)
  return (
    <Loaded of={granted}>
      {(now) =>
        role.isSystem ? (
          <>
            <p class="role-fixed">
              <span>{t.fixed}</span>
              <Button icon="copy" onClick={copy}>
                {t.copy}
              </Button>
            </p>
            <ul class="card role-list">
              {now.map((permission) => (
                <li key={permission.id}>
                  <TitledLine of={permission} />
                </li>
              ))}
            </ul>
          </>
        ) : (
          <Loaded of={permissions}>{(all) => <Editor role={role} granted={now} version={granted.version} all={all} edit={edit} />}</Loaded>
        )
      }
    </Loaded>
  )
}

interface EditorProps extends Pick<PermissionsProps, 'role' | 'edit'> {
  granted: readonly Permission[]
  version: string | undefined
  all: readonly Permission[]
}

function Editor({ role: { id }, granted, version, all, edit }: EditorProps) {
  const from = grantedIn(granted)
  const foreseen = useForeseen<Granted, PlannedChange[]>({
    plan: ({ ids }) => (isSame(ids, from.ids) ? undefined : [{ kind: 'role', id, set: { permissionIds: ids } }]),
    ask: foresee,
  })
  const form = useForm<Granted>({
    from,
    version,
    draft: `role:${id}:permissions`,
    foreseen,
    canUndo: true,
    save: (_changed, known, { ids }) => savePermissions(id, ids, known),
    reread: rereading(permissionsOf(id), grantedIn),
    by: () => lastEditor('role', id),
    saidOf: () => t.saved,
  })
  useEffect(() => {
    edit(form.isChanged)
    return () => edit(false)
  }, [form.isChanged])
  const { ids } = form.values
  const base = form.from.ids
  const named = (some: number[]) => all.filter((permission) => some.includes(permission.id))
  const staged = { add: named(ids.filter((one) => !base.includes(one))), remove: named(base.filter((one) => !ids.includes(one))) }
  return (
    <Form of={form} isWide class="beside">
      <div>
        <KnownSet
          label={t.tabs.permissions}
          addLabel={t.addPermissions}
          all={all}
          ids={base}
          name={titleOf}
          textsOf={({ name, descriptionAr, descriptionEn }) => [name, descriptionAr, descriptionEn]}
          staged={staged}
          change={({ add, remove }) =>
            form.set('ids', [...base.filter((one) => !remove.some(({ id }) => id === one)), ...add.map(({ id }) => id)])
          }
        >
          {(permission) => <TitledLine of={permission} />}
        </KnownSet>
      </div>
      <Consequences of={foreseen} form={form} changes={staged.add.length + staged.remove.length} />
    </Form>
  )
}
