import './style.css'
import { useSignal } from '@preact/signals'
import type { PageProps } from '../../../addresses.ts'
import { rereading, useForm } from '../../../parts/forms/form/use-form.ts'
import { lazily } from '../../../parts/show/lazily.tsx'
import { Moment } from '../../../parts/show/moment.tsx'
import { Loaded } from '../../../parts/show/skeleton.tsx'
import { Tabs } from '../../../parts/show/tabs.tsx'
import { isWide } from '../../../parts/show/wide.ts'
import { formatNumber, isolated, named } from '../../../platform/language.ts'
import { oneService, type WholeService } from '../services/data.ts'
import { Head } from '../shared/head.tsx'
import { RecordPage } from '../shared/record-page.tsx'
import { type Edited, editedOf, formOf, noticeOf, type ServiceForm, saveForm } from './data.ts'
import { Editor } from './editor.tsx'
import type { FormField } from './model.ts'
import type { Trial } from './preview.tsx'
import { t } from './texts.ts'

const Preview = lazily(async () => (await import('./preview.tsx')).Preview)

/** The editor of the form with which people order a service, beside a preview. */
export default function ServiceFormPage({ params }: PageProps) {
  const id = Number(params['id'])
  const [service, form] = [oneService(id), formOf(id)]
  return (
    <RecordPage
      of={service}
      target="service"
      id={id}
      title={(data) => t.titleOf(named(data))}
      noun={t.title}
      list={{ path: '/admin/services', title: t.title }}
      back={{ path: `/admin/services/${id}`, title: service.data ? named(service.data) : t.title }}
      gone={t.gone}
    >
      {(of) => <Loaded of={form}>{(data) => <Editing service={of} data={data} version={form.version} />}</Loaded>}
    </RecordPage>
  )
}

interface EditingProps {
  service: WholeService
  data: ServiceForm
  version: string | undefined
}

function Editing({ service, data, version }: EditingProps) {
  const { id } = service
  const sent = useSignal<FormField[]>([])
  const open = useSignal<string | undefined>(undefined)
  const trial = useSignal<Trial>({ given: {}, isTried: false })
  const view = useSignal<'editor' | 'preview'>('editor')
  const form = useForm<Edited>({
    from: editedOf(data),
    version,
    draft: `service-form:${id}`,
    save: (_, known, all) => {
      sent.value = all.fields
      return saveForm(id, all, known)
    },
    reread: rereading(formOf(id), editedOf),
    reveal: () => {
      view.value = 'editor'
    },
    saidOf: () => t.saved,
    canUndo: true,
  })
  const isEditor = isWide.value || view.value === 'editor'
  const isPreview = isWide.value || view.value === 'preview'
  const both = (
    <div class="service-form">
      <div hidden={!isEditor}>
        <Editor form={form} sent={sent.value} open={open} />
      </div>
      <div hidden={!isPreview}>
        <Preview trial={trial} fields={form.values.fields} offOptions={noticeOf(id).data?.offOptions ?? []} />
      </div>
    </div>
  )
  return (
    <>
      <Head title={t.titleOf(isolated(named(service)))}>
        <p class="quiet">{t.purpose}</p>
        {data.updatedAt && (
          <p class="quiet small">
            {t.version(formatNumber(data.version))} <Moment at={data.updatedAt} />
          </p>
        )}
      </Head>
      {isWide.value ? (
        both
      ) : (
        <Tabs
          label={t.views}
          tabs={[
            { key: 'editor', text: t.editor },
            { key: 'preview', text: t.preview },
          ]}
          value={view.value}
          choose={(next) => {
            view.value = next
          }}
        >
          {both}
        </Tabs>
      )}
    </>
  )
}
