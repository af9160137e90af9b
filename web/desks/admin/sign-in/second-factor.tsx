import { TextField } from '../../../parts/forms/field.tsx'
import { ChangedMeanwhile } from '../../../parts/forms/form/changed-meanwhile.tsx'
import { Form, Save } from '../../../parts/forms/form/form.tsx'
import { rereading, useForm } from '../../../parts/forms/form/use-form.ts'
import { Button } from '../../../parts/show/button.tsx'
import { Icon } from '../../../parts/show/icon.tsx'
import { PersonLine } from '../../../parts/show/lines.tsx'
import { Section } from '../../../parts/show/section.tsx'
import { Loaded } from '../../../parts/show/skeleton.tsx'
import { titleOf } from '../../../parts/show/title.ts'
import { present } from '../../../platform/ago.ts'
import { resource } from '../../../platform/cache.ts'
import { longDay } from '../../../platform/dates.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { at } from '../../../platform/router.ts'
import { roles } from '../shared/directory.ts'
import { changeSettings, type Settings, settings } from './data.ts'
import { t } from './texts.ts'

/** The people with one of the roles who have no second factor. */
const lackingOf = (roleIds: readonly number[], graceDays: number) =>
  resource('/admin/sign-in/without-factor', { query: { roleIds: roleIds.join(','), graceDays } })

const valuesOf = ({ secondFactorRoles, graceDays }: Settings) => ({ secondFactorRoles, graceDays: String(graceDays) })
type Values = ReturnType<typeof valuesOf>

async function save({ graceDays, ...changed }: Partial<Values>, known: string | undefined) {
  const { now, version } = await changeSettings({ ...changed, ...(graceDays !== undefined && { graceDays: Number(graceDays) }) }, known)
  return { from: valuesOf(now), version }
}

/** Roles whose holders need a second factor. Before a save, shows the people without one and the day on which they lose access. */
export function SecondFactor({ now }: { now: Settings }) {
  const form = useForm<Values>({
    from: valuesOf(now),
    version: settings.version,
    save,
    reread: rereading(settings, valuesOf),
    saidOf: () => t.secondFactorSaved,
  })
  const { isChanged, failure, set } = form
  const { secondFactorRoles: chosen, graceDays: days } = form.values
  const graceDays = /^\d{1,2}$/.test(days) ? Number(days) : now.graceDays
  return (
    <Section name="second-factor" title={t.secondFactor} hint={t.secondFactorHint}>
      <Form of={form} class="ways-form">
        <fieldset class="ways-roles">
          <legend>{t.rolesThatNeed}</legend>
          <Loaded of={roles}>
            {(all) =>
              all.map((role) => (
                <label key={role.id}>
                  <input
                    type="checkbox"
                    checked={chosen.includes(role.name)}
                    onChange={({ currentTarget: { checked } }) =>
                      set('secondFactorRoles', checked ? [...chosen, role.name] : chosen.filter((name) => name !== role.name))
                    }
                  />
                  <bdi>{titleOf(role)}</bdi>
                </label>
              ))
            }
          </Loaded>
        </fieldset>
        <div class="ways-days">
          <TextField label={t.graceDays} hint={t.graceHint} type="number" required min={0} max={90} dir="ltr" {...form.text('graceDays')} />
        </div>
        {chosen.length > 0 && <Lacking roles={chosen} graceDays={graceDays} isChanged={isChanged} />}
        <ChangedMeanwhile of={form} labels={{ graceDays: t.graceDays }} />
        <p class="error" role="alert">
          {form.error('secondFactorRoles')}
        </p>
        {failure instanceof Refusal && failure.body.details?.some(({ rule }) => rule === 'ownFactor') && (
          <a class="link" href={at('/enrol')}>
            {t.enrolFirst}
          </a>
        )}
        {(isChanged || form.isBusy) && (
          <div class="ways-acts">
            <Save of={form} text={t.save} />
            <Button onClick={form.discard}>{t.discard}</Button>
          </div>
        )}
      </Form>
    </Section>
  )
}

/** Up to this many people are shown at once. A longer list is folded, so that the save button stays near. */
const FEW = 5

interface LackingProps {
  roles: readonly string[]
  graceDays: number
  /** Whether the list shows the effect of unsaved changes. */
  isChanged: boolean
}

function Lacking({ roles: names, graceDays, isChanged }: LackingProps) {
  const ids = roles.data?.filter(({ name }) => names.includes(name)).map(({ id }) => id) ?? []
  if (ids.length === 0) return null
  return (
    <Loaded of={lackingOf(ids, graceDays)}>
      {({ items, totalCount }) =>
        totalCount === 0 ? (
          <p class="ways-good">
            <Icon name="circle-check" size={18} /> {t.allHave}
          </p>
        ) : (
          <details class="ways-lacking" open={totalCount <= FEW}>
            <summary>{t.lacking(totalCount)}</summary>
            <ul class="ways-people">
              {items.map(({ person, until }) => (
                <li key={person.id}>
                  <div class="ways-who">
                    <a href={at(`/admin/users/${person.id}`)}>
                      <PersonLine person={person} />
                    </a>
                    <span class="quiet small">
                      {new Date(until) > present() ? t.closesOn(longDay(until)) : isChanged ? t.closesNow : t.closedSince(longDay(until))}
                    </span>
                  </div>
                </li>
              ))}
            </ul>
            {totalCount > items.length && <p class="quiet small">{t.andMore(totalCount - items.length)}</p>}
          </details>
        )
      }
    </Loaded>
  )
}
