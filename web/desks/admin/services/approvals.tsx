import type { FormField } from '../../../parts/forms/answers/judging.ts'
import { SelectField, TextField } from '../../../parts/forms/field.tsx'
import type { FormState } from '../../../parts/forms/form/use-form.ts'
import { IdsField } from '../../../parts/forms/ids-field.tsx'
import { Switch } from '../../../parts/forms/switch.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { PersonLine, TitledLine } from '../../../parts/show/lines.tsx'
import { Section } from '../../../parts/show/section.tsx'
import { Segments } from '../../../parts/show/segments.tsx'
import { formOf } from '../../../parts/show/service-notice/data.ts'
import { type Titled, titleOf } from '../../../parts/show/title.ts'
import { formatNumber, inLanguage, isolated, listed, nameOf } from '../../../platform/language.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { BackDoors } from '../shared/back-doors.tsx'
import { Conditions } from '../shared/conditions/conditions.tsx'
import { type Condition, fits, opsOf } from '../shared/conditions/fit.ts'
import { type Person, peopleOf, searchGroups, searchPeople } from '../shared/directory.ts'
import { groupOf } from '../shared/group/data.ts'
import { t } from './approvals-texts.ts'
import type { HandlingFields, Step } from './handling-data.ts'
import { addStep, changeStep, isOfNobody, MOST_STEPS } from './steps.ts'

type Group = Titled & { id: number }
const MOST_GROUPS = 20
const MOST_NEEDED = 5

interface GroupsProps {
  ids: readonly number[]
  change: (ids: number[]) => void
  none?: string
  error?: string | undefined
  most?: number
}

const Groups = (props: GroupsProps) => (
  <IdsField<Group> label={t.groups} addLabel={t.addGroup} of={(id) => groupOf(id).data} name={titleOf} find={searchGroups} {...props}>
    {(group) => <TitledLine of={group} />}
  </IdsField>
)

/** Edits who may order the service for somebody else, besides its team. */
export function OnBehalf({ form: { values, set, error }, open }: { form: FormState<HandlingFields>; open: readonly number[] }) {
  return (
    <Section name="on-behalf" title={t.onBehalf} hint={t.onBehalfHints[values.onBehalf]}>
      <Segments
        label={t.onBehalf}
        of={[
          ['nobody', t.nobody],
          ['groups', t.someGroups],
          ['everyone', t.everyone],
        ]}
        value={values.onBehalf}
        choose={(onBehalf) => set('onBehalf', onBehalf)}
      />
      {values.onBehalf === 'groups' && (
        <>
          <Groups
            none={t.noGroups}
            error={error('onBehalfGroupIds')}
            ids={values.onBehalfGroupIds}
            change={(ids) => set('onBehalfGroupIds', ids)}
          />
          <BackDoors open={open} ids={values.onBehalfGroupIds} text={t.backDoors.onBehalf} />
        </>
      )}
    </Section>
  )
}

interface ApprovalsProps {
  serviceId: number
  form: FormState<HandlingFields>
  /** The steps as they were last sent, because refusals name steps by their index. */
  sent: readonly Step[]
  /** The groups that people can ask to join. */
  open: readonly number[]
  /** The keys of the steps that the portal knows. */
  saved: readonly string[]
}

/** Edits the steps by which an order is approved before its team sees it. */
export function Approvals({ serviceId, form, sent, open, saved }: ApprovalsProps) {
  const { steps } = form.values
  const fields = (formOf(serviceId).data?.fields ?? []) as FormField[]
  const set = (next: Step[]) => form.set('steps', next)
  return (
    <Section name="approvals" title={t.approvals} hint={t.approvalsHint}>
      {steps.length === 0 && <p class="quiet">{t.none}</p>}
      {steps.map((step, at) => (
        <StepFields
          key={at}
          step={step}
          at={at}
          fields={fields}
          open={open}
          error={errorAt(
            form.failure,
            sent.findIndex(({ key }) => key === step.key),
          )}
          unfilled={form.unfilled}
          change={(part) => set(changeStep(steps, at, part, saved))}
          remove={() => set(steps.toSpliced(at, 1))}
        />
      ))}
      <p class="error" role="alert">
        {form.error('steps')}
      </p>
      {steps.length < MOST_STEPS && (
        <Button icon="plus" onClick={() => set(addStep(steps))}>
          {t.addStep}
        </Button>
      )}
    </Section>
  )
}

/** The steps in words, to compare two versions. */
export const stepsInWords = (steps: readonly Step[]) =>
  steps.length > 0 ? listed(steps.map((step) => isolated(inLanguage(step.nameAr, step.nameEn)))) : t.none

/** The portal's error about a part of a step, such as `when.0`. */
const errorAt = (failure: unknown, at: number) => (part: string) => {
  const details = failure instanceof Refusal ? (failure.body.details ?? []) : []
  const found = details.find(({ path }) => path.replaceAll('/', '.') === `steps.${at}.${part}`)
  return found && inLanguage(found.messageAr, found.messageEn)
}

interface StepProps {
  step: Step
  at: number
  /** The fields of the service's form. */
  fields: readonly FormField[]
  open: readonly number[]
  error: (part: string) => string | undefined
  /** The browser's validation error of the input with this name. */
  unfilled: (name: string) => string | undefined
  change: (part: Partial<Step>) => void
  remove: () => void
}

function StepFields({ step, at, fields, open, error, unfilled, change, remove }: StepProps) {
  const above = fields.filter((field) => opsOf(field).length > 0)
  const people = peopleOf(step.userIds)
  const place = formatNumber(at + 1)
  const name = (label: string, field: 'nameAr' | 'nameEn', dir: 'rtl' | 'ltr') => (
    <TextField
      label={label}
      required
      maxLength={200}
      name={`${field}-${step.key}`}
      value={step[field]}
      error={unfilled(`${field}-${step.key}`) ?? error(field)}
      dir={dir}
      onInput={(event) => change({ [field]: event.currentTarget.value })}
    />
  )
  return (
    <fieldset class="desk-services-step">
      <legend>{t.step(place)}</legend>
      <div class="form-pair">
        {name(t.nameAr, 'nameAr', 'rtl')}
        {name(t.nameEn, 'nameEn', 'ltr')}
      </div>
      <Switch label={t.manager} hint={t.managerHint} on={step.manager} change={(manager) => change({ manager })} />
      <div class="form-pair">
        <IdsField<Person>
          label={t.people}
          addLabel={t.addPerson}
          ids={step.userIds}
          change={(userIds) => change({ userIds })}
          of={(id) => people.find((person) => person.id === id)}
          name={nameOf}
          find={searchPeople}
        >
          {(person) => <PersonLine person={person} size={32} />}
        </IdsField>
        <Groups ids={step.groupIds} change={(groupIds) => change({ groupIds })} most={MOST_GROUPS} />
      </div>
      <BackDoors open={open} ids={step.groupIds} text={t.backDoors.approval} />
      {isOfNobody(step) && <p class="quiet small">{t.ofNobody}</p>}
      <SelectField
        label={t.needed}
        hint={t.neededHint}
        value={String(step.needed)}
        choices={Array.from({ length: MOST_NEEDED }, (_, n) => ({ value: String(n + 1), text: formatNumber(n + 1) }))}
        choose={(needed) => change({ needed: Number(needed) })}
      />
      <Conditions
        legend={t.conditions}
        onlyIf={t.onlyIf}
        none={above.length > 0 ? t.always : t.noneToRead}
        above={above}
        when={step.when as Condition[]}
        change={(when) => change({ when })}
        errorOf={(condition, n) => {
          const read = fields.find(({ key }) => key === condition.field)
          return read && !fits(condition, read) ? t.unfit : error(`when.${n}`)
        }}
      />
      <p class="quiet small">
        {t.key}: <code dir="ltr">{step.key}</code>
      </p>
      <Button kind="plain" icon="x" aria-label={t.removeStep(inLanguage(step.nameAr, step.nameEn) || place)} onClick={remove}>
        {t.remove}
      </Button>
    </fieldset>
  )
}
