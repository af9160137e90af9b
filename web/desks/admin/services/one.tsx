import './style.css'
import { useSignal } from '@preact/signals'
import { ChangedMeanwhile } from '../../../parts/forms/form/changed-meanwhile.tsx'
import { Form, Save } from '../../../parts/forms/form/form.tsx'
import { rereading, useForm } from '../../../parts/forms/form/use-form.ts'
import { Dialog } from '../../../parts/overlay/dialog.tsx'
import { say } from '../../../parts/overlay/toasts.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { attempt, sayFailure } from '../../../parts/show/failures.ts'
import { Notice } from '../../../parts/show/service-notice/notice.tsx'
import { named } from '../../../platform/language.ts'
import { at, onward } from '../../../platform/router.ts'
import { useDeletion } from '../shared/deleting.ts'
import { RecordPage } from '../shared/record-page.tsx'
import { sayDeleted } from '../shared/undo-deletion.ts'
import { changeService, type Fields, fieldsOf, oneService, removeService, type WholeService } from './data.ts'
import { ServiceFields } from './fields.tsx'
import { OrderForm } from './form.tsx'
import { ServiceHandling } from './handling.tsx'
import { t } from './texts.ts'

/** A service: its entry in the catalogue, its handling, its form, and its notice. */
export function OneService({ id }: { id: number }) {
  const service = oneService(id)
  return (
    <RecordPage
      of={service}
      target="service"
      id={id}
      title={named}
      noun={t.title}
      list={{ path: '/admin/services', title: t.title }}
      gone={t.gone}
    >
      {(data, version) => <Editor service={data} version={version} />}
    </RecordPage>
  )
}

function Editor({ service, version }: { service: WholeService; version: string | undefined }) {
  const { id } = service
  const form = useForm<Fields>({
    from: fieldsOf(service),
    version,
    draft: `service:${id}`,
    save: (changed, version) => changeService(id, changed, version),
    reread: rereading(oneService(id), fieldsOf),
    saidOf: () => t.saved,
    canUndo: true,
  })
  return (
    <div class="desk-services-one">
      <h1>
        <bdi>{named(service)}</bdi>
      </h1>
      <Form of={form}>
        <ServiceFields form={form} />
        <ChangedMeanwhile
          of={form}
          labels={{
            ...{ nameAr: t.nameAr, nameEn: t.nameEn, descriptionAr: t.descriptionAr, descriptionEn: t.descriptionEn },
            ...{ categoryId: t.category, price: t.price, imageUrl: t.picture, isAvailable: t.orderable },
          }}
        />
        {form.isChanged && <Save of={form} />}
      </Form>
      <ServiceHandling key={`handling ${id}`} id={id} />
      <OrderForm key={`form ${id}`} id={id} />
      <Notice key={`notice ${id}`} id={id} />
      <Removal service={service} />
    </div>
  )
}

/** Deletes the service. If it has orders, says how many would be deleted and offers to stop ordering instead. */
function Removal({ service }: { service: WholeService }) {
  const { id } = service
  const isBusy = useSignal(false)
  const { counts, remove, close } = useDeletion(oneService(id), { orderCount: 0 }, (force, version) => removeService(id, force, version))
  async function run() {
    isBusy.value = true
    const goOn = onward()
    try {
      if (await remove()) {
        close()
        if (counts) say({ text: t.removed(named(service)) })
        else sayDeleted(t.removed(named(service)), { type: 'service', id, lists: ['/services', '/services/{id}'] })
        goOn('/admin/services', { replace: true })
      }
    } catch (failure) {
      sayFailure(failure)
    }
    isBusy.value = false
  }
  async function stop() {
    if (!(await attempt(changeService(id, { isAvailable: false }, undefined)))) return
    say({ text: t.off(named(service), 0) })
    close()
  }
  return (
    <>
      <Button kind="danger" icon="trash-2" isBusy={isBusy.value} onClick={run}>
        {t.remove}
      </Button>
      {counts && (
        <Dialog
          title={t.removeTitle(named(service))}
          close={close}
          end={
            <>
              {service.isAvailable && (
                <Button kind="main" onClick={stop}>
                  {t.stopInstead}
                </Button>
              )}
              <Button kind="danger" isBusy={isBusy.value} onClick={run}>
                {t.removeWith(counts.orderCount)}
              </Button>
              <Button onClick={close}>{t.cancel}</Button>
            </>
          }
        >
          <p>{t.removeOrders(counts.orderCount)}</p>
          <p>
            <a href={at(`/admin/orders?service=${id}`)}>{t.seeOrders}</a>
          </p>
        </Dialog>
      )}
    </>
  )
}
