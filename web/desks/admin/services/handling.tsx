import { useRef } from 'preact/hooks'
import { SelectField, TextField } from '../../../parts/forms/field.tsx'
import { ChangedMeanwhile } from '../../../parts/forms/form/changed-meanwhile.tsx'
import { Form, Save } from '../../../parts/forms/form/form.tsx'
import type { FormState } from '../../../parts/forms/form/use-form.ts'
import { rereading, useForm } from '../../../parts/forms/form/use-form.ts'
import { IdsField } from '../../../parts/forms/ids-field.tsx'
import { TitledLine } from '../../../parts/show/lines.tsx'
import { Section } from '../../../parts/show/section.tsx'
import { Segments } from '../../../parts/show/segments.tsx'
import { Loaded } from '../../../parts/show/skeleton.tsx'
import { type Titled, titleOf } from '../../../parts/show/title.ts'
import { named } from '../../../platform/language.ts'
import { at } from '../../../platform/router.ts'
import { BackDoors } from '../shared/back-doors.tsx'
import { searchGroups } from '../shared/directory.ts'
import { groupOf } from '../shared/group/data.ts'
import { teams } from '../teams/data.ts'
import { Approvals, OnBehalf, stepsInWords } from './approvals.tsx'
import { t as ofApprovals } from './approvals-texts.ts'
import { type Handling, type HandlingFields, handlingFields, handlingOf, type Step, saveHandling } from './handling-data.ts'
import { t } from './handling-texts.ts'
import { A_TIME, minutesIn, minutesInWords } from './minutes.ts'

/** Edits the audience of a service, its ordering for somebody else, its team, its targets and its approvals. */
export function ServiceHandling({ id }: { id: number }) {
  const handling = handlingOf(id)
  return <Loaded of={handling}>{(data) => <Editor id={id} handling={data} version={handling.version} />}</Loaded>
}

function Editor({ id, handling, version }: { id: number; handling: Handling; version: string | undefined }) {
  const sent = useRef<readonly Step[]>([])
  const form = useForm<HandlingFields>({
    from: handlingFields(handling),
    version,
    draft: `service-handling:${id}`,
    save: (_, known, all) => {
      sent.current = all.steps
      return saveHandling(id, all, known)
    },
    reread: rereading(handlingOf(id), handlingFields),
    saidOf: () => t.handlingSaved,
    canUndo: true,
  })
  return (
    <Form of={form} class="desk-services-handling">
      <ChangedMeanwhile
        of={form}
        labels={{
          ...{ audience: t.who, audienceGroupIds: t.groups, teamId: t.doer },
          ...{ receiveMinutes: t.receiveWithin, completeMinutes: t.completeWithin, reopenDays: t.reopen },
          ...{ onBehalf: ofApprovals.onBehalf, onBehalfGroupIds: ofApprovals.groups, steps: ofApprovals.approvals },
        }}
        written={(field, value) => (field === 'steps' ? stepsInWords(value as Step[]) : String(value ?? ''))}
      />
      <div class="desk-services-sections">
        <Audience form={form} open={handling.openGroupIds} />
        <Doer form={form} />
        <Times form={form} />
        <Afterwards form={form} />
        <OnBehalf form={form} open={handling.openGroupIds} />
      </div>
      <Approvals serviceId={id} form={form} sent={sent.current} open={handling.openGroupIds} saved={handling.steps.map(({ key }) => key)} />
      {form.isChanged && <Save of={form} />}
    </Form>
  )
}

type Group = Titled & { id: number }
const groupItem = (id: number): Group | undefined => groupOf(id).data

function Audience({ form, open }: { form: FormState<HandlingFields>; open: readonly number[] }) {
  const { values, set } = form
  const isGroups = values.audience === 'groups'
  return (
    <Section name="audience" title={t.who} hint={isGroups ? t.groupsHint : t.everyoneHint}>
      <Segments
        label={t.who}
        of={[
          ['everyone', t.everyone],
          ['groups', t.someGroups],
        ]}
        value={values.audience}
        choose={(audience) => set('audience', audience)}
      />
      {isGroups && (
        <IdsField<Group>
          label={t.groups}
          none={t.nobody}
          addLabel={t.addGroup}
          error={form.error('audienceGroupIds')}
          ids={values.audienceGroupIds}
          change={(ids) => set('audienceGroupIds', ids)}
          of={groupItem}
          name={titleOf}
          find={searchGroups}
        >
          {(group) => <TitledLine of={group} />}
        </IdsField>
      )}
      {isGroups && <BackDoors open={open} ids={values.audienceGroupIds} text={t.backDoor} />}
    </Section>
  )
}

function Doer({ form }: { form: FormState<HandlingFields> }) {
  const { values, set } = form
  const known = teams.data ?? []
  return (
    <Section name="doer" title={t.doer} hint={values.teamId ? t.teamHint : t.allHint}>
      <SelectField
        label={t.team}
        error={form.error('teamId')}
        value={String(values.teamId ?? '')}
        choices={[{ value: '', text: t.all }, ...known.map((team) => ({ value: String(team.id), text: named(team) }))]}
        choose={(id) => set('teamId', Number(id) || null)}
      />
      {teams.data?.length === 0 && (
        <p class="quiet small">
          {t.noTeams}{' '}
          <a class="link" href={at('/admin/teams?new=1')}>
            {t.newTeam}
          </a>
        </p>
      )}
    </Section>
  )
}

function Times({ form }: { form: FormState<HandlingFields> }) {
  const target = (label: string, field: 'receiveMinutes' | 'completeMinutes') => {
    const minutes = minutesIn(form.values[field])
    const hint = minutes === null ? t.noTarget : t.working(minutesInWords(minutes))
    return <TextField label={label} optional={t.optional} hint={hint} pattern={A_TIME} {...form.text(field)} dir="ltr" />
  }
  return (
    <Section name="times" title={t.times} hint={t.timesHint}>
      <div class="form-pair">
        {target(t.receiveWithin, 'receiveMinutes')}
        {target(t.completeWithin, 'completeMinutes')}
      </div>
    </Section>
  )
}

/** The choices for how many days after its completion an order can be reopened. A different number set through the API is offered, too. */
const REOPEN_DAYS = [0, 1, 3, 7, 14, 30]

function Afterwards({ form }: { form: FormState<HandlingFields> }) {
  const { reopenDays } = form.values
  const days = REOPEN_DAYS.includes(reopenDays) ? REOPEN_DAYS : [...REOPEN_DAYS, reopenDays].toSorted((one, other) => one - other)
  return (
    <Section name="afterwards" title={t.afterwards} hint={t.afterwardsHint}>
      <SelectField
        label={t.reopen}
        error={form.error('reopenDays')}
        value={String(reopenDays)}
        choices={days.map((count) => ({ value: String(count), text: t.reopenDays(count) }))}
        choose={(count) => form.set('reopenDays', Number(count))}
      />
    </Section>
  )
}
