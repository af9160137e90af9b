import { useSignal } from '@preact/signals'
import { Combobox } from '../../../parts/forms/combobox.tsx'
import { useClosing } from '../../../parts/forms/saving.ts'
import { Sentences } from '../../../parts/overlay/consequences/consequences.tsx'
import { sentencesOf } from '../../../parts/overlay/consequences/sentences.ts'
import { Dialog } from '../../../parts/overlay/dialog.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { meaningOf, report, sayFailure } from '../../../parts/show/failures.ts'
import { TitledLine } from '../../../parts/show/lines.tsx'
import { titleOf } from '../../../parts/show/title.ts'
import { matches } from '../../../platform/folded.ts'
import { formatNumber, isolated } from '../../../platform/language.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { onward } from '../../../platform/router.ts'
import { foresee, roles } from '../shared/directory.ts'
import {
  allHolders,
  deleteRole,
  type Holders as HoldersOf,
  moveHolders,
  permissionsOf,
  type Role,
  refreshLists,
} from '../shared/role/data.ts'
import { NewRole } from '../shared/role/new-role.tsx'
import { sayDeleted } from '../shared/undo-deletion.ts'
import { Holders } from './holders.tsx'
import { t } from './texts.ts'

async function removeRole(role: Role, goOn = onward()) {
  await deleteRole(role.id)
  goOn('/admin/roles')
  const path = `/admin/roles/${role.id}`
  sayDeleted(t.deleted(isolated(titleOf(role))), { type: 'role', id: role.id, lists: ['/roles', '/roles/{id}'], path })
}

/** The menu items of a role, with their dialogs. */
export function useRemoval(role: Role) {
  const opened = useSignal<'held' | 'copy' | undefined>(undefined)
  const close = () => {
    opened.value = undefined
  }
  async function remove() {
    await removeRole(role).catch((failure) => {
      if (failure instanceof Refusal && failure.code === 'has_dependents') opened.value = 'held'
      else sayFailure(failure)
    })
  }
  const copy = () => {
    opened.value = 'copy'
  }
  const dialog =
    opened.value === 'held' ? (
      <Held role={role} close={close} />
    ) : opened.value === 'copy' ? (
      <NewRole
        close={close}
        from={{
          name: '',
          descriptionAr: t.copyOf(titleOf(role)),
          descriptionEn: t.copyOf(titleOf(role)),
          permissionIds:
            permissionsOf(role.id)
              .peek()
              ?.map(({ id }) => id) ?? [],
        }}
      />
    ) : null
  return {
    items: [
      { text: t.copy, icon: 'copy' as const, run: copy },
      ...(role.isSystem ? [] : [{ text: t.delete, icon: 'trash-2' as const, run: remove }]),
    ],
    copy,
    dialog,
  }
}

/** Shows the holders of a role and moves them to another role, because a role that somebody has cannot be deleted. */
function Held({ role, close }: { role: Role; close: () => void }) {
  const to = useSignal<Role | undefined>(undefined)
  const holders = useSignal<HoldersOf>({ userIds: [], groupIds: [] })
  const impact = useSignal<Awaited<ReturnType<typeof foresee>> | undefined>(undefined)
  const moved = useSignal<number | undefined>(undefined)
  const problem = useSignal('')
  const closing = useClosing(close)
  async function choose(other: Role) {
    to.value = other
    impact.value = undefined
    problem.value = ''
    try {
      const found = await allHolders(role.id)
      const foreseen = await foresee([
        { kind: 'role', id: other.id, add: found },
        { kind: 'role', id: role.id, remove: found },
      ])
      if (to.value !== other) return
      holders.value = found
      impact.value = foreseen
    } catch (failure) {
      report(failure)
      problem.value = meaningOf(failure)
    }
  }
  async function move() {
    moved.value = 0
    const goOn = onward()
    try {
      const { refused, why } = await moveHolders(holders.value, role, to.value!, (count) => {
        moved.value = count
      })
      refreshLists(role.id)
      if (refused > 0) problem.value = `${t.unmoved(refused)} ${why}`
      else await removeRole(role, goOn).then(closing)
    } catch (failure) {
      report(failure)
      problem.value = meaningOf(failure)
    }
    moved.value = undefined
  }
  return (
    <Dialog
      title={t.held(isolated(titleOf(role)))}
      close={close}
      isUnsaved={() => moved.value !== undefined}
      end={
        <>
          <Button kind="plain" onClick={close}>
            {t.cancel}
          </Button>
          <Button kind="main" isBusy={moved.value !== undefined} disabled={!impact.value || impact.value.lastAdmin} onClick={move}>
            {moved.value === undefined
              ? t.move
              : t.moving(formatNumber(moved.value), formatNumber(holders.value.userIds.length + holders.value.groupIds.length))}
          </Button>
        </>
      }
    >
      <p class="quiet">{t.heldHint}</p>
      <Combobox<Role>
        label={t.choose}
        placeholder={t.choose}
        eager
        find={async (typed) =>
          (await roles.load()).filter((one) => one.id !== role.id && matches(typed, one.name, one.descriptionAr, one.descriptionEn))
        }
        id={(one) => one.id}
        choose={choose}
      >
        {(one) => <TitledLine of={one} />}
      </Combobox>
      {to.value && <TitledLine of={to.value} />}
      {impact.value && <Sentences of={sentencesOf(impact.value)} />}
      <p class="error" role="alert">
        {problem}
      </p>
      <Holders id={role.id} />
    </Dialog>
  )
}
