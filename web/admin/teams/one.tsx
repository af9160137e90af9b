import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { useTitle } from '../../frame/site.ts'
import { useWayBack } from '../../frame/way-back.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Form, Save } from '../../parts/form/form.tsx'
import { rereading, useForm } from '../../parts/form/use-form.ts'
import { useSaving } from '../../parts/saving.ts'
import { Loaded } from '../../parts/skeleton.tsx'
import { say } from '../../parts/toasts.tsx'
import { inLanguage, isolated, named } from '../../platform/language.ts'
import { at, onward } from '../../platform/router.ts'
import { Found } from '../shared/found.tsx'
import { Head } from '../shared/head.tsx'
import { changeTeam, type Fields, fieldsOf, removeTeam, type Team, takenField, teamOf, type Work } from './data.ts'
import { TeamFields } from './fields.tsx'
import { t } from './texts.ts'

/** A team: its names, its groups and its leads. */
export function OneTeam({ id }: { id: number }) {
  const team = teamOf(id)
  useTitle(team.data ? named(team.data) : t.title)
  useWayBack('/admin/teams', t.title)
  return (
    <Found of={team} target="service_team" id={id} text={t.gone} list="/admin/teams">
      <Loaded of={team}>{(data) => <Editor team={data} version={team.version} />}</Loaded>
    </Found>
  )
}

function Editor({ team, version }: { team: Team; version: string | undefined }) {
  const { id } = team
  const isAsking = useSignal(false)
  const sent = useRef(fieldsOf(team))
  const form = useForm<Fields>({
    from: fieldsOf(team),
    version,
    draft: `service-team:${id}`,
    fieldOf: { name_taken: takenField(sent.current, id) },
    save: (changed, known, all) => {
      sent.current = all
      return changeTeam(id, changed, known)
    },
    reread: rereading(teamOf(id), fieldsOf),
    saidOf: () => t.saved,
    canUndo: true,
  })
  return (
    <>
      <Head
        title={isolated(named(team))}
        acts={[
          {
            text: t.remove,
            icon: 'trash-2',
            run: () => {
              isAsking.value = true
            },
          },
        ]}
      >
        <p class="quiet head-under">
          <bdi lang={inLanguage('en', 'ar')}>{inLanguage(team.nameEn, team.nameAr)}</bdi>
          <span>{t.does(team.serviceCount)}</span>
        </p>
      </Head>
      <Form of={form}>
        <TeamFields form={form} />
        <Save of={form} />
      </Form>
      {isAsking.value && (
        <Removal
          team={team}
          close={() => {
            isAsking.value = false
          }}
        />
      )}
    </>
  )
}

/** Deletes the team, or says which work keeps it. */
function Removal({ team, close }: { team: Team; close: () => void }) {
  const work = useSignal<Work | undefined>(undefined)
  const name = isolated(named(team))
  const { isBusy, problem, run } = useSaving(async () => {
    const goOn = onward()
    work.value = await removeTeam(team.id)
    if (work.value) return
    close()
    say({ text: t.removed(name) })
    goOn('/admin/teams', { replace: true })
  })
  const kept = work.value
  if (kept)
    return (
      <Dialog title={t.keptTitle(name)} close={close} end={<Button onClick={close}>{t.close}</Button>}>
        <div role="status">
          <ul class="lines">
            {kept.services > 0 && (
              <li>
                {t.doesServices(kept.services)}{' '}
                <a class="link" href={at('/admin/services')}>
                  {t.seeServices}
                </a>
              </li>
            )}
            {kept.orders > 0 && (
              <li>
                {t.hasOrders(kept.orders)}{' '}
                <a class="link" href={at('/admin/orders')}>
                  {t.seeOrders}
                </a>
              </li>
            )}
          </ul>
          <p class="quiet">{t.keptHint}</p>
        </div>
      </Dialog>
    )
  return (
    <Dialog
      title={t.removeTitle(name)}
      close={close}
      end={
        <>
          <Button onClick={close}>{t.cancel}</Button>
          <Button kind="danger" icon="trash-2" isBusy={isBusy} onClick={run}>
            {t.removeYes}
          </Button>
        </>
      }
    >
      <p>{t.removeHint}</p>
      <p class="error" role="alert">
        {problem}
      </p>
    </Dialog>
  )
}
