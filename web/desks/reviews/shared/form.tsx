import '../../../parts/lists/filters/filters.css'
import { useMemo, useRef } from 'preact/hooks'
import { officeToday } from '../../../frame/office.ts'
import { DateField } from '../../../parts/forms/calendar/date-field.tsx'
import { plus } from '../../../parts/forms/calendar/days.ts'
import { TextField } from '../../../parts/forms/field.tsx'
import { ChangedMeanwhile } from '../../../parts/forms/form/changed-meanwhile.tsx'
import { Form, Save } from '../../../parts/forms/form/form.tsx'
import { type FormState, rereading, useForm } from '../../../parts/forms/form/use-form.ts'
import { IdsField } from '../../../parts/forms/ids-field.tsx'
import { Dialog } from '../../../parts/overlay/dialog.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { PersonLine, TitledLine } from '../../../parts/show/lines.tsx'
import { Segments } from '../../../parts/show/segments.tsx'
import { type Titled, titleOf } from '../../../parts/show/title.ts'
import { matches } from '../../../platform/folded.ts'
import { nameOf } from '../../../platform/language.ts'
import { go } from '../../../platform/router.ts'
import {
  base,
  beginReview,
  findGroups,
  findPeople,
  groupOf,
  peopleOf,
  type Review,
  reviewOf,
  roles,
  saveReview,
  type Values,
  valuesOf,
} from '../data.ts'
import { t } from './form-texts.ts'

type Named = Titled & { id: number }

/** The weeks that are offered as a due date. */
const WEEKS = [1, 2, 4]
/** The farthest due date, in days. */
const MOST_DAYS = 366
const MOST_REVIEWERS = 50

const empty = (): Values => ({
  titleAr: '',
  titleEn: '',
  groupIds: [],
  roleIds: [],
  reviewerUserIds: [],
  dueDate: plus(officeToday(), 14),
  ifSilent: 'keep',
})

/** Begins a review, and opens it. */
export function NewReview({ close }: { close: () => void }) {
  const made = useRef(0)
  // Midnight does not change the due date of a form that is open.
  const from = useMemo(empty, [])
  const form = useForm<Values>({
    from,
    draft: 'review:new',
    isNew: true,
    suggested: ['dueDate'],
    fieldOf: { too_many_items: 'groupIds' },
    async save(_changed, _version, all) {
      made.current = (await beginReview(all)).id
    },
    after: (isThere) => isThere && go(`${base()}/${made.current}`, { replace: true }),
    saidOf: () => t.begun,
  })
  return (
    <Dialog title={t.begin} class="reviews-form" close={close} isUnsaved={() => false}>
      <Form of={form}>
        <Titles form={form} />
        <Subjects form={form} />
        <Judging form={form} />
        <div class="reviews-silent">
          <span>{t.silent}</span>
          <Segments
            label={t.silent}
            of={[['keep', t.silents.keep] as const, ['remove', t.silents.remove] as const]}
            value={form.values.ifSilent}
            choose={(chosen) => form.set('ifSilent', chosen)}
          />
          <p class="quiet small">{t.silentHints[form.values.ifSilent]}</p>
        </div>
        <div class="dialog-end">
          <Button kind="plain" onClick={close}>
            {t.cancel}
          </Button>
          <Save of={form} text={t.go} />
        </div>
      </Form>
    </Dialog>
  )
}

/** Changes the titles, the due date or the reviewers of an open review. */
export function EditReview({ review, version, close }: { review: Review; version: string | undefined; close: () => void }) {
  const { id } = review
  const form = useForm<Values>({
    from: valuesOf(review),
    version,
    draft: `review:${id}`,
    canUndo: true,
    save: (changed, known) => saveReview(id, changed, known),
    reread: rereading(reviewOf(id), valuesOf),
    after: (isThere) => isThere && close(),
    saidOf: () => t.saved,
  })
  return (
    <Dialog title={t.edit} class="reviews-form" close={close} isUnsaved={() => false}>
      <Form of={form}>
        <ChangedMeanwhile of={form} labels={{ titleAr: t.titleAr, titleEn: t.titleEn, dueDate: t.due }} />
        <Titles form={form} />
        <Judging form={form} />
        <div class="dialog-end">
          <Button kind="plain" onClick={close}>
            {t.cancel}
          </Button>
          <Save of={form} text={t.save} />
        </div>
      </Form>
    </Dialog>
  )
}

interface PartProps {
  form: FormState<Values>
}

const Titles = ({ form }: PartProps) => (
  <div class="form-pair">
    <TextField label={t.titleAr} hint={t.titleHint} maxLength={200} {...form.text('titleAr')} />
    <TextField label={t.titleEn} hint={t.titleHint} maxLength={200} {...form.text('titleEn')} />
  </div>
)

function Subjects({ form }: PartProps) {
  const { values, set } = form
  /** The sizes of the groups found so far. */
  const sizes = useRef(new Map<number, number>())
  const sizeOf = (id: number) => sizes.current.get(id) ?? groupOf(id)?.userIds.length ?? 0
  const all = roles.data ?? []
  const held = all.filter(({ id }) => values.roleIds.includes(id)).reduce((total, { userCount }) => total + userCount, 0)
  const estimate = values.groupIds.reduce((total, id) => total + sizeOf(id), held)
  return (
    <>
      <IdsField<Named>
        label={t.groups}
        hint={t.groupsHint}
        addLabel={t.addGroup}
        error={form.error('groupIds')}
        ids={values.groupIds}
        change={(ids) => set('groupIds', ids)}
        of={groupOf}
        name={titleOf}
        find={async (typed) => {
          const found = await findGroups(typed)
          for (const { id, memberCount } of found) sizes.current.set(id, memberCount)
          return found
        }}
      >
        {(group) => <TitledLine of={group} />}
      </IdsField>
      <IdsField<Named>
        label={t.roles}
        hint={t.rolesHint}
        addLabel={t.addRole}
        error={form.error('roleIds')}
        ids={values.roleIds}
        change={(ids) => set('roleIds', ids)}
        of={(id) => all.find((role) => role.id === id)}
        name={titleOf}
        find={async (typed) =>
          (await roles.load()).filter(({ name, descriptionAr, descriptionEn }) => matches(typed, name, descriptionAr, descriptionEn))
        }
      >
        {(role) => <TitledLine of={role} />}
      </IdsField>
      {estimate > 0 && (
        <p class="quiet" role="status">
          {t.estimate(estimate)}
        </p>
      )}
    </>
  )
}

function Judging({ form }: PartProps) {
  const { values, set } = form
  const people = peopleOf(values.reviewerUserIds)
  return (
    <>
      <IdsField
        label={t.reviewers}
        hint={t.reviewersHint}
        none={t.noReviewers}
        addLabel={t.addPerson}
        most={MOST_REVIEWERS}
        error={form.error('reviewerUserIds')}
        ids={values.reviewerUserIds}
        change={(ids) => set('reviewerUserIds', ids)}
        of={(id) => people.find((person) => person.id === id)}
        name={nameOf}
        find={findPeople}
      >
        {(person) => <PersonLine person={person} size={32} />}
      </IdsField>
      <div class="reviews-due">
        <DateField
          required
          name="dueDate"
          label={t.due}
          value={values.dueDate}
          min={officeToday()}
          max={plus(officeToday(), MOST_DAYS)}
          now={officeToday()}
          error={form.error('dueDate')}
          change={(day) => set('dueDate', day)}
        />
        <div class="picks">
          {WEEKS.map((weeks) => {
            const day = plus(officeToday(), weeks * 7)
            const isChosen = values.dueDate === day
            return (
              <button
                key={weeks}
                type="button"
                class={isChosen ? 'pick pick-on' : 'pick'}
                aria-pressed={isChosen}
                onClick={() => set('dueDate', day)}
              >
                {t.in(weeks)}
              </button>
            )
          })}
        </div>
      </div>
    </>
  )
}
