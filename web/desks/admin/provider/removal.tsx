import { useSignal } from '@preact/signals'
import { useSaving } from '../../../parts/forms/saving.ts'
import { Dialog } from '../../../parts/overlay/dialog.tsx'
import { say } from '../../../parts/overlay/toasts.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { named } from '../../../platform/language.ts'
import { onward } from '../../../platform/router.ts'
import { type Provider, removeProvider } from '../sign-in/data.ts'
import { t } from './texts.ts'

/** Deletes a provider. Says first how many people have no other way to sign in; they get a mail if the provider is deleted anyway. */
export function Removal({ provider }: { provider: Provider }) {
  const isAsking = useSignal(false)
  const stranded = useSignal(0)
  const close = () => {
    isAsking.value = false
    stranded.value = 0
  }
  const saving = useSaving(async () => {
    const goOn = onward()
    const count = await removeProvider(provider.id, stranded.peek() > 0)
    stranded.value = count ?? 0
    if (count) return
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
                {stranded.value > 0 ? t.removeAnyway(stranded.value) : t.remove}
              </Button>
            </>
          }
        >
          <p role="status">{stranded.value > 0 ? t.stranded(stranded.value) : t.removeHint(provider.identityCount)}</p>
          <p class="error" role="alert">
            {saving.problem}
          </p>
        </Dialog>
      )}
    </div>
  )
}
