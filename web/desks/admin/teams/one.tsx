import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { Form, Save } from '../../../parts/forms/form/form.tsx'
import { rereading, useForm } from '../../../parts/forms/form/use-form.ts'
import { inLanguage, isolated, named } from '../../../platform/language.ts'
import { Head } from '../shared/head.tsx'
import { KeptRemoval } from '../shared/kept-removal.tsx'
import { RecordPage } from '../shared/record-page.tsx'
import { changeTeam, type Fields, fieldsOf, removeTeam, type Team, takenField, teamOf } from './data.ts'
import { TeamFields } from './fields.tsx'
import { t } from './texts.ts'

/** A team and its fields. */
export function OneTeam({ id }: { id: number }) {
  const team = teamOf(id)
  return (
    <RecordPage
      of={team}
      target="service_team"
      id={id}
      title={named}
      noun={t.title}
      list={{ path: '/admin/teams', title: t.title }}
      gone={t.gone}
    >
      {(data, version) => <Editor team={data} version={version} />}
    </RecordPage>
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

/** Deletes the team, or says which of its work prevents that. */
const Removal = ({ team, close }: { team: Team; close: () => void }) => (
  <KeptRemoval
    record={team}
    words={
      // Name the texts, so that the check for unused texts finds them.
      t satisfies Pick<typeof t, 'removeTitle' | 'removeHint' | 'removeYes' | 'removed' | 'keptTitle' | 'keptHint' | 'cancel' | 'close'>
    }
    list="/admin/teams"
    close={close}
    remove={async () => {
      const work = await removeTeam(team.id)
      return (
        work && [
          { count: work.services, text: t.doesServices, list: '/admin/services', see: t.seeServices },
          { count: work.orders, text: t.hasOrders, list: '/admin/orders', see: t.seeOrders },
        ]
      )
    }}
  />
)
