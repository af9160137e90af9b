import { useSignal } from '@preact/signals'
import { useSaving } from '../../../parts/forms/saving.ts'
import { Dialog } from '../../../parts/overlay/dialog.tsx'
import { say } from '../../../parts/overlay/toasts.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { named } from '../../../platform/language.ts'
import { onward } from '../../../platform/router.ts'
import { useDeletion } from '../shared/deleting.ts'
import { type Provider, providerOf, removeProvider } from '../sign-in/data.ts'
import { t } from './texts.ts'

/** Deletes a provider. Says first how many people have no other way to sign in; they get a mail if the provider is deleted anyway. */
export function Removal({ provider }: { provider: Provider }) {
  const isAsking = useSignal(false)
  const { id } = provider
  const deletion = useDeletion(providerOf(id), { count: 0 }, (force, version) => removeProvider(id, force, version))
  /** The number of people who could not sign in any more; 0 until it is known. */
  const stranded = deletion.counts?.count ?? 0
  const close = () => {
    isAsking.value = false
    deletion.close()
  }
  const saving = useSaving(async () => {
    const goOn = onward()
    if (!(await deletion.remove())) return
    say({ text: t.removed(named(provider)) })
    goOn('/admin/sign-in')
  })
  return (
    <div>
      <Button
        kind="danger"
        icon="trash-2"
        onClick={() => {
          isAsking.value = true
        }}
      >
        {t.remove}
      </Button>
      {isAsking.value && (
        <Dialog
          title={t.removeNamed(named(provider))}
          close={close}
          end={
            <>
              <Button onClick={close}>{t.cancel}</Button>
              <Button kind="danger" isBusy={saving.isBusy} onClick={() => saving.run()}>
                {stranded > 0 ? t.removeAnyway(stranded) : t.remove}
              </Button>
            </>
          }
        >
          <p role="status">{stranded > 0 ? t.stranded(stranded) : t.removeHint(provider.identityCount)}</p>
          <p class="error" role="alert">
            {saving.problem}
          </p>
        </Dialog>
      )}
    </div>
  )
}
