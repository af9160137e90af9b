import './style.css'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { PageProps } from '../../../addresses.ts'
import { TextArea } from '../../../parts/forms/field.tsx'
import { ChangedMeanwhile } from '../../../parts/forms/form/changed-meanwhile.tsx'
import { Form, Save } from '../../../parts/forms/form/form.tsx'
import { rereading, useForm } from '../../../parts/forms/form/use-form.ts'
import { say } from '../../../parts/overlay/toasts.tsx'
import { sayFailure } from '../../../parts/show/failures.ts'
import { AppLine, TitledLine } from '../../../parts/show/lines.tsx'
import { Meanwhile } from '../../../parts/show/presence/meanwhile.tsx'
import { Faces, usePresence } from '../../../parts/show/presence/presence.tsx'
import { titleOf } from '../../../parts/show/title.ts'
import { isolated, named } from '../../../platform/language.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { at, onward } from '../../../platform/router.ts'
import { appsOf, deletePermission, type Permission, permissionOf, rolesOf, saveTexts, type Texts, textsOf } from '../permissions/data.ts'
import { apps, lastEditor, permissions } from '../shared/directory.ts'
import { Head } from '../shared/head.tsx'
import { useMeanwhile } from '../shared/meanwhile.ts'
import { PagesOf } from '../shared/pages-of.tsx'
import { RecordPage } from '../shared/record-page.tsx'
import { sayDeleted } from '../shared/undo-deletion.ts'
import { t } from './texts.ts'

/** One permission: its name, the roles that give it and the apps that require it. */
export default function PermissionPage({ params }: PageProps) {
  const id = Number(params['id'])
  const permission = permissionOf(id)
  return (
    <RecordPage
      of={permission}
      target="permission"
      id={id}
      title={titleOf}
      noun={t.permission}
      list={{ path: '/admin/permissions', title: t.permissions }}
      gone={t.gone}
    >
      {(data, version) => <One permission={data} version={version} />}
    </RecordPage>
  )
}

async function remove(permission: Permission) {
  const goOn = onward()
  try {
    await deletePermission(permission.id)
  } catch (failure) {
    if (failure instanceof Refusal && failure.code === 'has_dependents') say({ text: t.inUse, kind: 'error' })
    else sayFailure(failure)
    return
  }
  const { id } = permission
  goOn('/admin/permissions')
  sayDeleted(t.deleted(isolated(titleOf(permission))), {
    type: 'permission',
    id,
    lists: ['/permissions', '/permissions/{id}'],
    path: `/admin/permissions/${id}`,
  })
}

function One({ permission, version }: { permission: Permission; version: string | undefined }) {
  const { id } = permission
  const isEditing = useSignal(false)
  const edit = (now: boolean) => {
    isEditing.value = now
  }
  const saved = useMeanwhile('permission', id)
  const present = usePresence('permission', id, isEditing.value)
  const listed = permissions.data?.find((one) => one.id === id)
  const acts = listed && !listed.isSystem ? [{ text: t.delete, icon: 'trash-2' as const, run: () => remove(permission) }] : []
  return (
    <>
      <Head title={titleOf(permission)} of={permission} acts={acts} aside={<Faces of={present} />}>
        {listed?.isSystem && <p class="quiet small">{t.system}</p>}
        {listed && listed.roleCount + listed.appCount === 0 && <p class="quiet small">{t.unused}</p>}
      </Head>
      <Meanwhile saved={saved} present={present} />
      <div class="permission">
        <section>
          <h2>{t.roles}</h2>
          <div class="card">
            <PagesOf of={(offset) => rolesOf(id, offset)} id={(role) => role.id} empty={t.noRoles}>
              {(role) => (
                <a href={at(`/admin/roles/${role.id}`)}>
                  <TitledLine of={role} />
                </a>
              )}
            </PagesOf>
          </div>
        </section>
        <section>
          <h2>{t.apps}</h2>
          <div class="card">
            <PagesOf of={(offset) => appsOf(id, offset)} id={(app) => app.id} empty={t.noApps}>
              {(app) => {
                const known = apps.data?.find((one) => one.id === app.id)
                return (
                  <>
                    <a href={at(`/admin/apps/${app.id}`)}>{known ? <AppLine app={known} /> : <bdi>{named(app)}</bdi>}</a>
                    {!app.isActive && <span class="chip">{t.hidden}</span>}
                  </>
                )
              }}
            </PagesOf>
          </div>
        </section>
        <section>
          <h2>{t.names}</h2>
          <TextsForm permission={permission} version={version} edit={edit} />
        </section>
      </div>
    </>
  )
}

interface FormProps {
  permission: Permission
  version: string | undefined
  /** Called when unsaved changes begin or end. */
  edit: (isEditing: boolean) => void
}

function TextsForm({ permission, version, edit }: FormProps) {
  const { id } = permission
  const form = useForm<Texts>({
    from: textsOf(permission),
    version,
    draft: `permission:${id}`,
    canUndo: true,
    save: (changed, known) => saveTexts(id, changed, known),
    reread: rereading(permissionOf(id), textsOf),
    by: () => lastEditor('permission', id),
    saidOf: () => t.saved,
  })
  useEffect(() => {
    edit(form.isChanged)
    return () => edit(false)
  }, [form.isChanged])
  return (
    <Form of={form}>
      <div class="form-pair">
        <TextArea label={t.nameAr} hint={t.nameHint} maxLength={2000} {...form.text('descriptionAr')} />
        <TextArea label={t.nameEn} hint={t.nameHint} maxLength={2000} {...form.text('descriptionEn')} />
      </div>
      <ChangedMeanwhile of={form} labels={{ descriptionAr: t.nameAr, descriptionEn: t.nameEn }} />
      {(form.isChanged || form.isBusy) && <Save of={form} />}
    </Form>
  )
}
