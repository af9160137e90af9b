import { Combobox } from '../../../parts/forms/combobox.tsx'
import { SelectField, TextField } from '../../../parts/forms/field.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { TitledLine } from '../../../parts/show/lines.tsx'
import { titleOf } from '../../../parts/show/title.ts'
import { resource } from '../../../platform/cache.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { at } from '../../../platform/router.ts'
import { searchGroups } from '../shared/directory.ts'
import type { Rule } from '../sign-in/data.ts'
import type { PartProps } from './connection.tsx'
import { claimText } from './people.tsx'
import { t } from './texts.ts'

const groups = resource('/groups')
/** The name of a group, as far as the groups are there. */
export function nameOfGroup(id: number) {
  const group = groups.data?.find((one) => one.id === id)
  return group ? titleOf(group) : `#${id}`
}

/** The rules that put people into groups by the values of the provider's claim for groups. */
export function Groups({ form, trial }: PartProps) {
  const { groupRules, groupMode, claims } = form.values
  const own = trial && claims.groups ? trial.claims[claims.groups] : undefined
  // The portal refuses rules that would make people administrators unless they are confirmed.
  const asksAdmin = form.failure instanceof Refusal && form.failure.code === 'grants_admin'
  const change = (index: number, now: Partial<Rule>) =>
    form.set(
      'groupRules',
      groupRules.map((one, other) => (other === index ? { ...one, ...now } : one)),
    )
  return (
    <>
      <p class="quiet">{t.groupsHint}</p>
      {own !== undefined && (
        <p class="small">
          {t.ownGroups} <bdi dir="auto">{claimText(own)}</bdi>
        </p>
      )}
      <SelectField
        label={t.fields.groupMode}
        hint={t.groupModeHints[groupMode]}
        value={groupMode}
        error={form.error('groupMode')}
        choices={(['add', 'manage'] as const).map((value) => ({ value, text: t.groupModes[value] }))}
        choose={(chosen) => form.set('groupMode', chosen)}
      />
      <div class="ways-rules" role="group" aria-label={t.fields.groupRules}>
        {groupRules.map((rule, index) => {
          const givesAdmin = asksAdmin || rule.grantsAdmin === true
          return (
            <div key={rule.groupId} class="ways-rule">
              <TextField
                label={t.groupValue}
                name={`rule-${rule.groupId}`}
                error={form.unfilled(`rule-${rule.groupId}`)}
                required
                dir="auto"
                maxLength={500}
                value={rule.value}
                onInput={(event) => change(index, { value: event.currentTarget.value })}
              />
              <p class="ways-into">
                <span class="quiet small">{t.into}</span>
                <a class="link" href={at(`/admin/groups/${rule.groupId}`)}>
                  <bdi>{nameOfGroup(rule.groupId)}</bdi>
                </a>
              </p>
              <Button
                kind="plain"
                icon="trash-2"
                aria-label={t.removeRule(rule.value)}
                onClick={() =>
                  form.set(
                    'groupRules',
                    groupRules.filter((_, other) => other !== index),
                  )
                }
              />
              {givesAdmin && (
                <label class="ways-admin">
                  <input
                    type="checkbox"
                    checked={rule.grantsAdmin ?? false}
                    onChange={(event) => change(index, { grantsAdmin: event.currentTarget.checked })}
                  />
                  {t.grantsAdmin}
                </label>
              )}
            </div>
          )
        })}
        <Combobox
          isField
          label={t.addGroup}
          placeholder={t.findGroup}
          eager
          find={searchGroups}
          id={({ id }) => id}
          off={({ id, isSystem }) =>
            isSystem ? t.systemGroup : groupRules.some(({ groupId }) => groupId === id) ? t.alreadyThere : undefined
          }
          choose={({ id, name }) => form.set('groupRules', [...groupRules, { value: name, groupId: id }])}
        >
          {(group) => <TitledLine of={group} />}
        </Combobox>
        {form.error('groupRules') && (
          <p class="error" role="alert">
            {form.error('groupRules')}
          </p>
        )}
      </div>
    </>
  )
}
