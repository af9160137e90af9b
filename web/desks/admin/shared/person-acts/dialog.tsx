/** The actions of administrators on an account. Each shows its consequences first. */
import { useSignal } from '@preact/signals'
import { useClosing, useSaving } from '../../../../parts/forms/saving.ts'
import { Sentences } from '../../../../parts/overlay/consequences/consequences.tsx'
import { type Sentence, sentencesOf } from '../../../../parts/overlay/consequences/sentences.ts'
import { Dialog } from '../../../../parts/overlay/dialog.tsx'
import { say } from '../../../../parts/overlay/toasts.tsx'
import { Button } from '../../../../parts/show/button.tsx'
import { attempt } from '../../../../parts/show/failures.ts'
import { invalidate, resource } from '../../../../platform/cache.ts'
import { answer, api, type Schemas } from '../../../../platform/client.ts'
import { nameOf } from '../../../../platform/language.ts'
import type { go } from '../../../../platform/router.ts'
import { type Planned, useImpact } from './impact.ts'
import { type Issued, IssuedDialog } from './issued.tsx'
import { type Owned, Removal } from './removal.tsx'
import { t } from './texts.ts'

type Profile = Pick<Schemas['UserProfile'], 'id' | 'username' | 'displayNameAr' | 'displayNameEn' | 'isActive'>

/** An action to be confirmed. `owned` lists the records that the account owns, if that is known. */
export type Asked = { act: 'link' | 'deactivate' | 'promote' | 'remove'; person: Profile; owned?: Owned }

const changed = () => invalidate('/users', '/users/{id}', '/users/{id}/effective-access', '/stats/home')

const setActive = async ({ id }: Profile, isActive: boolean) => {
  await answer(api.PATCH('/users/{id}', { params: { path: { id } }, body: { isActive } }))
  changed()
}

/** Activates a deactivated account, with undo. */
export const activate = (person: Profile) =>
  attempt(
    setActive(person, true).then(() =>
      say({
        text: t.deactivate.on(nameOf(person)),
        undo: () => attempt(setActive(person, false).then(() => void say({ text: t.deactivate.done(nameOf(person)) }))),
      }),
    ),
  )

interface DialogProps {
  asked: Asked
  close: () => void
  /** Called after a deletion. `goOn` does nothing once the administrator has left the page. */
  removed?: (goOn: typeof go) => void
}

/** The dialog of an action, while one is asked for. A link that it made shows even if the dialog was closed before the link arrived. */
export function PersonDialog({ asked, ...rest }: Omit<DialogProps, 'asked'> & { asked: Asked | undefined }) {
  const issued = useSignal<Issued | undefined>(undefined)
  return (
    <>
      {asked && <ActDialog asked={asked} {...rest} issued={(link) => (issued.value = link)} />}
      {issued.value && <IssuedDialog {...issued.value} close={() => (issued.value = undefined)} />}
    </>
  )
}

function ActDialog({ asked, close, removed, issued }: DialogProps & { issued: (link: Issued) => void }) {
  const { person, owned } = asked
  const chosen = useSignal(asked.act)
  const closing = useClosing(close)
  const act = chosen.value
  if (act === 'link') return <LinkDialog person={person} close={close} issued={issued} />
  if (act === 'deactivate') return <DeactivateDialog person={person} close={close} />
  if (act === 'promote') return <PromoteDialog person={person} close={close} />
  const done = (goOn: typeof go) => {
    changed()
    closing()
    say({ text: t.remove.done(nameOf(person)) })
    removed?.(goOn)
  }
  const deactivate = () => {
    chosen.value = 'deactivate'
  }
  return <Removal person={person} owned={owned} deactivate={deactivate} done={done} close={close} />
}

function LinkDialog({ person, close, issued }: { person: Profile; close: () => void; issued: (link: Issued) => void }) {
  const closing = useClosing(close)
  const saving = useSaving(async () => {
    const link = await answer(api.POST('/auth/admin/users/{id}/issue-reset-link', { params: { path: { id: person.id } } }))
    issued({ name: nameOf(person), link })
    closing()
  })
  return (
    <Dialog
      title={t.link.title(nameOf(person))}
      close={close}
      end={
        <>
          <Button onClick={close}>{t.cancel}</Button>
          <Button kind="main" icon="key-round" isBusy={saving.isBusy} onClick={() => saving.run()}>
            {t.link.issue}
          </Button>
        </>
      }
    >
      <p>{t.link.hint}</p>
      <p class="error" role="alert">
        {saving.problem}
      </p>
    </Dialog>
  )
}

interface AskingProps {
  title: string
  /** The usual effect, shown until the portal has computed the actual one. */
  text: string
  plan: Planned[]
  /** Shown in addition, once the effect is known. */
  besides?: Sentence[]
  yes: string
  close: () => void
  run: () => Promise<unknown>
}

/** Says what an action will do, and asks for confirmation. */
function AskingDialog({ title, text, plan, besides = [], yes, close, run }: AskingProps) {
  const impact = useImpact(plan)
  const closing = useClosing(close)
  const saving = useSaving(async () => {
    await run()
    closing()
  })
  return (
    <Dialog
      title={title}
      close={close}
      end={
        <>
          <Button onClick={close}>{t.cancel}</Button>
          <Button kind="main" isBusy={saving.isBusy} disabled={impact?.lastAdmin} onClick={() => saving.run()}>
            {yes}
          </Button>
        </>
      }
    >
      <div aria-live="polite">{impact ? <Sentences of={[...sentencesOf(impact), ...besides]} /> : <p>{text}</p>}</div>
      <p class="error" role="alert">
        {impact?.lastAdmin ? t.lastAdmin : saving.problem}
      </p>
    </Dialog>
  )
}

function DeactivateDialog({ person, close }: { person: Profile; close: () => void }) {
  const name = nameOf(person)
  const { title, hint, stays, yes, done, back } = t.deactivate
  async function run() {
    await setActive(person, false)
    say({ text: done(name), undo: () => attempt(setActive(person, true).then(() => void say({ text: back(name) }))) })
  }
  const plan: Planned[] = [{ kind: 'user', id: person.id, set: { isActive: false } }]
  const besides: Sentence[] = [{ kind: 'keep', text: stays }]
  return <AskingDialog title={title(name)} text={hint} plan={plan} besides={besides} yes={yes} close={close} run={run} />
}

const ADMIN = 'admin'
function PromoteDialog({ person, close }: { person: Profile; close: () => void }) {
  const name = nameOf(person)
  const { title, hint, yes, done, back } = t.promote
  const { id } = person
  async function demote() {
    await answer(api.DELETE('/users/{id}/roles/{roleName}', { params: { path: { id, roleName: ADMIN } } }))
    changed()
    say({ text: back(name) })
  }
  async function run() {
    await answer(api.POST('/users/{id}/roles', { params: { path: { id } }, body: { roleName: ADMIN } }))
    changed()
    say({ text: done(name), undo: () => attempt(demote()) })
  }
  const role = resource('/roles').data?.find(({ name }) => name === ADMIN)
  const plan: Planned[] = role ? [{ kind: 'user', id, add: { roleIds: [role.id] } }] : []
  return <AskingDialog title={title(name)} text={hint(name)} plan={plan} yes={yes} close={close} run={run} />
}
