import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { settings } from '../../../../frame/site.ts'
import { TextArea, TextField } from '../../../../parts/forms/field.tsx'
import { ChangedMeanwhile } from '../../../../parts/forms/form/changed-meanwhile.tsx'
import { Form, Save } from '../../../../parts/forms/form/form.tsx'
import { useForm } from '../../../../parts/forms/form/use-form.ts'
import { useSaving } from '../../../../parts/forms/saving.ts'
import { Dialog } from '../../../../parts/overlay/dialog.tsx'
import { Once } from '../../../../parts/overlay/once.tsx'
import { Button } from '../../../../parts/show/button.tsx'
import { copy } from '../../../../parts/show/copying.ts'
import { invalidate } from '../../../../platform/cache.ts'
import { answer, api, ifMatch } from '../../../../platform/client.ts'
import { inLanguage } from '../../../../platform/language.ts'
import { type Invited, inParts, invite, usernameOf } from '../../shared/invitations.ts'
import { slugOf } from '../../shared/slug.ts'
import { addressesIn } from './addresses.ts'
import type { Step } from './rules.ts'
import { groups } from './steps.ts'
import { both, t } from './texts.ts'

interface SheetProps {
  close: () => void
  /** The icon of the proposal to start from, or ''. */
  proposal: string
}

/** Apps that most organisations have. */
export const proposals = [
  { name: 'mail', iconName: 'mail', color: '#1d4ed8' },
  { name: 'documents', iconName: 'folder', color: '#5b3fa0' },
  { name: 'directory', iconName: 'users', color: '#0b6b62' },
] as const

/** A sheet with a form of texts, which creates a record and closes. */
function Sheet<V extends Record<string, string>>({
  step,
  close,
  from,
  save,
  children,
}: {
  step: Step
  close: () => void
  from: V
  save: (values: V) => Promise<void>
  children: (form: ReturnType<typeof useForm<V>>) => ComponentChildren
}) {
  const form = useForm<V>({
    from,
    save: (_, __, all) => save(all),
    after: (isThere) => isThere && close(),
    saidOf: () => t.said[step],
  })
  return (
    <Dialog title={t.titles[step]} close={close}>
      <Form of={form}>
        {children(form)}
        <Save of={form} text={t.saves[step]} />
      </Form>
    </Dialog>
  )
}

function NameSheet({ close }: SheetProps) {
  const save = async (names: { siteNameAr: string; siteNameEn: string }) => {
    await answer(api.PATCH('/settings', { body: names, headers: ifMatch(settings.version) }))
    await settings.refresh()
  }
  const { siteNameAr = '', siteNameEn = '' } = settings.peek() ?? {}
  return (
    <Sheet step="name" close={close} from={{ siteNameAr, siteNameEn }} save={save}>
      {(form) => (
        <>
          <ChangedMeanwhile of={form} labels={{ siteNameAr: t.nameAr, siteNameEn: t.nameEn }} />
          <TextField label={t.nameAr} required maxLength={200} dir="rtl" {...form.text('siteNameAr')} />
          <TextField label={t.nameEn} required maxLength={200} dir="ltr" {...form.text('siteNameEn')} />
        </>
      )}
    </Sheet>
  )
}

function AppSheet({ close, proposal }: SheetProps) {
  const begun = proposals.find(({ iconName }) => iconName === proposal)
  async function save({ nameAr, nameEn, externalUrl }: { nameAr: string; nameEn: string; externalUrl: string }) {
    const slug = slugOf(nameEn, 60) || `app-${Date.now().toString(36)}`
    const { iconName = 'layout-grid', color = '#0b6b62' } = begun ?? {}
    const body = { nameAr, nameEn, externalUrl, slug, route: `/${slug}`, iconName, color, openMode: 'external_tab' as const }
    await answer(api.POST('/apps', { body }))
    invalidate('/apps', '/admin/apps', '/stats/home')
  }
  return (
    <Sheet
      step="app"
      close={close}
      from={{ nameAr: begun ? both.ar.proposals[begun.name] : '', nameEn: begun ? both.en.proposals[begun.name] : '', externalUrl: '' }}
      save={save}
    >
      {(form) => (
        <>
          <TextField label={t.nameAr} required maxLength={200} dir="rtl" {...form.text('nameAr')} />
          <TextField label={t.nameEn} required maxLength={200} dir="ltr" {...form.text('nameEn')} />
          <TextField type="url" label={t.address} hint={t.addressHint} required maxLength={2000} dir="ltr" {...form.text('externalUrl')} />
        </>
      )}
    </Sheet>
  )
}

function ServiceSheet({ close }: SheetProps) {
  // The category that was created for a service that was then refused. The next save uses it again.
  const made = useRef<{ names: string; id: number } | undefined>(undefined)
  async function save({ nameAr, nameEn, categoryAr, categoryEn }: Record<'nameAr' | 'nameEn' | 'categoryAr' | 'categoryEn', string>) {
    const names = { nameAr: categoryAr || categoryEn, nameEn: categoryEn || categoryAr }
    const key = JSON.stringify(names)
    if (names.nameAr && made.current?.names !== key)
      made.current = { names: key, id: (await answer(api.POST('/service-categories', { body: names }))).id }
    const categoryId = names.nameAr ? made.current?.id : undefined
    await answer(api.POST('/services', { body: { nameAr, nameEn, ...(categoryId && { categoryId }) } }))
    invalidate('/services', '/service-categories', '/stats/home')
  }
  return (
    <Sheet step="service" close={close} from={{ nameAr: '', nameEn: '', categoryAr: '', categoryEn: '' }} save={save}>
      {(form) => (
        <>
          <TextField label={t.nameAr} required maxLength={200} dir="rtl" {...form.text('nameAr')} />
          <TextField label={t.nameEn} required maxLength={200} dir="ltr" {...form.text('nameEn')} />
          <TextField label={t.categoryAr} optional={t.optional} maxLength={200} dir="rtl" {...form.text('categoryAr')} />
          <TextField label={t.categoryEn} optional={t.optional} maxLength={200} dir="ltr" {...form.text('categoryEn')} />
        </>
      )}
    </Sheet>
  )
}

function GroupSheet({ close }: SheetProps) {
  async function save({ nameAr, nameEn }: { nameAr: string; nameEn: string }) {
    await answer(api.POST('/groups', { body: { name: nameEn, descriptionAr: nameAr, descriptionEn: nameEn } }))
    await groups.refresh()
  }
  return (
    <Sheet step="group" close={close} from={{ nameAr: '', nameEn: '' }} save={save}>
      {(form) => (
        <>
          <TextField label={t.nameAr} required maxLength={200} dir="rtl" {...form.text('nameAr')} />
          <TextField label={t.nameEn} required maxLength={200} dir="ltr" {...form.text('nameEn')} />
        </>
      )}
    </Sheet>
  )
}

/** Creates an account for each pasted address, and shows the links to hand over. */
function PeopleSheet({ close }: SheetProps) {
  const typed = useSignal('')
  const outcomes = useSignal<readonly Invited<string>[]>([])
  const copied = useSignal('')
  const invited = outcomes.value.filter(({ verdict }) => !verdict)
  const failed = outcomes.value.filter(({ verdict }) => verdict)
  const found = addressesIn(typed.value).filter((email) => !invited.some(({ of }) => of === email))
  const saving = useSaving(async () => {
    outcomes.value = invited
    for (const some of inParts(found)) {
      outcomes.value = [...outcomes.peek(), ...(await invite(some, (email) => ({ email, username: usernameOf(email) })))]
      const left = outcomes.peek().flatMap(({ of, verdict }) => (verdict ? of : []))
      typed.value = [...left, ...found.filter((email) => outcomes.peek().every(({ of }) => of !== email))].join('\n')
    }
  })
  const toHandOver = invited.filter(({ invitation }) => invitation?.resetUrl)
  const links = toHandOver.map(({ of, invitation }) => `${of} ${invitation?.resetUrl}`).join('\n')
  return (
    <Once
      title={t.titles.people}
      close={close}
      isKept={links === copied.value && !saving.isBusy}
      end={
        <>
          <Button kind="main" isBusy={saving.isBusy} disabled={found.length === 0} onClick={() => saving.run()}>
            {t.inviteAll(found.length)}
          </Button>
          {toHandOver.length > 0 && (
            <Button
              icon="copy"
              onClick={async () => {
                if (await copy(links, t.copied)) copied.value = links
              }}
            >
              {t.copyLinks}
            </Button>
          )}
        </>
      }
    >
      <TextArea
        label={t.addresses}
        hint={t.addressesHint}
        rows={5}
        dir="ltr"
        value={typed.value}
        onInput={(event) => {
          typed.value = event.currentTarget.value
        }}
      />
      {invited.length > 0 && (
        <div>
          <p role="status">{t.invited(invited.length)}</p>
          <ul class="first-steps-links">
            {invited.map(({ of, invitation }) => (
              <li key={of}>
                <bdi dir="ltr">{of}</bdi>
                {invitation?.resetUrl ? (
                  <code dir="ltr" class="overview-link">
                    {invitation.resetUrl}
                  </code>
                ) : (
                  <span class="quiet">{t.mailed}</span>
                )}
              </li>
            ))}
          </ul>
        </div>
      )}
      <div class="error" role="alert">
        <ul class="first-steps-links">
          {failed.map(({ of, verdict }) => (
            <li key={of}>
              <bdi dir="ltr">{of}</bdi> {verdict && inLanguage(verdict.messageAr, verdict.messageEn)}
            </li>
          ))}
        </ul>
        {saving.problem}
      </div>
    </Once>
  )
}

export const sheets: Record<Step, (props: SheetProps) => ComponentChildren> = {
  name: NameSheet,
  app: AppSheet,
  service: ServiceSheet,
  group: GroupSheet,
  people: PeopleSheet,
}
