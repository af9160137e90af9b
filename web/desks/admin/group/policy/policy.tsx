import '../../../../parts/lists/filters/filters.css'
import './policy.css'
import { useId } from 'preact/hooks'
import { TextArea, TextField } from '../../../../parts/forms/field.tsx'
import { ChangedMeanwhile } from '../../../../parts/forms/form/changed-meanwhile.tsx'
import { Form, Save } from '../../../../parts/forms/form/form.tsx'
import { type FormState, rereading, useForm } from '../../../../parts/forms/form/use-form.ts'
import { IdsField } from '../../../../parts/forms/ids-field.tsx'
import { Switch } from '../../../../parts/forms/switch.tsx'
import { Button } from '../../../../parts/show/button.tsx'
import { PersonLine, TitledLine } from '../../../../parts/show/lines.tsx'
import { Segments } from '../../../../parts/show/segments.tsx'
import { Loaded } from '../../../../parts/show/skeleton.tsx'
import { type Titled, titleOf } from '../../../../parts/show/title.ts'
import { invalidate } from '../../../../platform/cache.ts'
import type { Schemas } from '../../../../platform/client.ts'
import { wholeNumber } from '../../../../platform/folded.ts'
import { formatNumber, nameOf } from '../../../../platform/language.ts'
import { at } from '../../../../platform/router.ts'
import { BackDoors } from '../../shared/back-doors.tsx'
import { lastEditor, type Person, peopleOf, roles, searchGroups, searchPeople } from '../../shared/directory.ts'
import { type Group, groupOf } from '../../shared/group/data.ts'
import { A_NUMBER, isDuration, policyOf, savePolicy, type Values, valuesOf, waitingFor } from './data.ts'
import { t } from './texts.ts'

/** Edits the policy of a group: who may ask to join it, who decides, and for how long. */
export function Policy({ group }: { group: Group }) {
  const policy = policyOf(group.id)
  return <Loaded of={policy}>{(data) => <Editor key={group.id} group={group} policy={data} version={policy.version} />}</Loaded>
}

/** Why nobody can ask to join a group; '' if people can. */
function whyNever({ isSystem, roleIds }: Group) {
  if (isSystem) return t.neverSystem
  const admin = roles.data?.find(({ name }) => name === 'admin')
  return admin && roleIds.includes(admin.id) ? t.neverAdmin : ''
}

interface EditorProps {
  group: Group
  policy: Schemas['RequestPolicy']
  version: string | undefined
}

function Editor({ group, policy, version }: EditorProps) {
  const { id } = group
  const form = useForm<Values>({
    from: valuesOf(policy),
    version,
    draft: `request-policy:${id}`,
    canUndo: true,
    fieldOf: { not_requestable: 'requestable' },
    async save(_changed, known, all) {
      const now = await savePolicy(id, all, known)
      invalidate('/access-requests', '/groups/{id}/request-policy')
      return now
    },
    reread: rereading(policyOf(id), valuesOf),
    by: () => lastEditor('group', id),
    saidOf: () => t.saved,
  })
  const { values, set } = form
  const never = whyNever(group)
  const pending = waitingFor(id).data?.totalCount ?? 0
  const error = form.error('requestable')
  if (never && !policy.requestable) return <p class="quiet">{never}</p>
  return (
    <Form of={form} class="form policy">
      <ChangedMeanwhile of={form} labels={labels()} />
      <div class="card policy-part">
        <Switch label={t.requestable} hint={t.requestableHint} on={values.requestable} change={(on) => set('requestable', on)} />
        <p class="error" role="alert">
          {error ?? (values.requestable && never)}
        </p>
        {policy.requestable && (
          <p class={values.requestable || pending === 0 ? 'quiet' : 'policy-warning'}>
            {values.requestable || pending === 0 ? t.waiting(pending) : t.lapse(pending)}{' '}
            <a class="link" href={at(`/admin/requests?group=${id}`)}>
              {t.all}
            </a>
          </p>
        )}
      </div>
      {values.requestable && <Conditions form={form} open={policy.openApproverGroupIds} />}
      <div class="policy-end">
        <Save of={form} />
        {form.isChanged && (
          <Button kind="plain" onClick={form.discard}>
            {t.discard}
          </Button>
        )}
      </div>
    </Form>
  )
}

const labels = () => ({
  requestable: t.requestable,
  minApprovals: t.approvals,
  maxDays: t.longest,
  reasonRequired: t.reason,
  noteAr: t.noteAr,
  noteEn: t.noteEn,
})

type Listed = Titled & { id: number }
const groupItem = (id: number): Listed | undefined => groupOf(id).data

function Conditions({ form, open }: { form: FormState<Values>; open: readonly number[] }) {
  const heading = useId()
  const { values, set } = form
  const people = peopleOf(values.approverUserIds)
  const isAdminsOnly = values.approverUserIds.length + values.approverGroupIds.length === 0
  const groups = { of: groupItem, name: titleOf, find: searchGroups, addLabel: t.addGroup }
  return (
    <>
      <div class="card policy-part">
        <IdsField<Listed>
          {...groups}
          label={t.askers}
          {...(values.askerGroupIds.length > 0 && { hint: t.askersHint })}
          none={t.everyone}
          error={form.error('askerGroupIds')}
          ids={values.askerGroupIds}
          change={(ids) => set('askerGroupIds', ids)}
        >
          {(group) => <TitledLine of={group} />}
        </IdsField>
      </div>
      <section class="card policy-part" aria-labelledby={heading}>
        <div>
          <h2 id={heading}>{t.decide}</h2>
          <p class="quiet small">{t.decideHint}</p>
        </div>
        {isAdminsOnly && <p>{t.onlyAdmins}</p>}
        <IdsField<Person>
          label={t.approvers}
          addLabel={t.addPerson}
          error={form.error('approverUserIds')}
          ids={values.approverUserIds}
          change={(ids) => set('approverUserIds', ids)}
          of={(id) => people.find((person) => person.id === id)}
          name={nameOf}
          find={searchPeople}
        >
          {(person) => <PersonLine person={person} size={32} />}
        </IdsField>
        <IdsField<Listed>
          {...groups}
          label={t.approverGroups}
          error={form.error('approverGroupIds')}
          ids={values.approverGroupIds}
          change={(ids) => set('approverGroupIds', ids)}
        >
          {(group) => <TitledLine of={group} />}
        </IdsField>
        <BackDoors open={open} ids={values.approverGroupIds} text={t.backDoor} />
        <div class="policy-count">
          <span>{t.approvals}</span>
          <Segments
            label={t.approvals}
            of={[1, 2, 3, 4, 5].map((count) => [count, formatNumber(count)] as const)}
            value={values.minApprovals}
            choose={(count) => set('minApprovals', count)}
          />
          <p class="quiet small">{t.approvalsHint}</p>
        </div>
      </section>
      <div class="card policy-part">
        <Duration form={form} />
        <Switch label={t.reason} on={values.reasonRequired} change={(on) => set('reasonRequired', on)} />
        <div class="form-pair">
          <TextArea label={t.noteAr} optional={t.optional} hint={t.noteHint} maxLength={500} rows={3} {...form.text('noteAr')} />
          <TextArea label={t.noteEn} optional={t.optional} hint={t.noteHint} maxLength={500} rows={3} {...form.text('noteEn')} />
        </div>
      </div>
    </>
  )
}

/** The durations that are offered as buttons, in days. */
const OFFERED = [30, 90, 180, 365]

function Duration({ form }: { form: FormState<Values> }) {
  const { values, set } = form
  const text = form.text('maxDays')
  const days = wholeNumber(values.maxDays)
  return (
    <div class="policy-duration">
      <TextField
        {...text}
        class="input numbers"
        label={t.longest}
        hint={t.longestHint}
        inputMode="numeric"
        pattern={A_NUMBER}
        dir="ltr"
        error={isDuration(values.maxDays) ? text.error : t.longestWrong}
      />
      <div class="policy-offered">
        {OFFERED.map((offered) => (
          <button
            key={offered}
            type="button"
            class={offered === days ? 'pick pick-on' : 'pick'}
            aria-pressed={offered === days}
            onClick={() => set('maxDays', String(offered))}
          >
            {t.days(offered)}
          </button>
        ))}
        <button
          type="button"
          class={values.maxDays === '' ? 'pick pick-on' : 'pick'}
          aria-pressed={values.maxDays === ''}
          onClick={() => set('maxDays', '')}
        >
          {t.noLimit}
        </button>
      </div>
    </div>
  )
}
