import { Icon } from '../../../parts/show/icon.tsx'
import { isolated, named } from '../../../platform/language.ts'
import { at } from '../../../platform/router.ts'
import { managersOf, sourceOf } from '../shared/group/managers.ts'
import { t } from './texts.ts'

/** Names the source or the providers that put people into the group, and says whether one of the providers alone decides on its members. */
export function Managed({ groupId }: { groupId: number }) {
  const { manager, adders } = managersOf(groupId)
  const all = [...(manager ? [manager] : []), ...adders]
  const source = sourceOf(groupId)
  if (source)
    return (
      <p class="quiet small group-managed">
        <Icon name="link" size={16} />
        <span>{t.provisionedBy(isolated(source.name))}</span>{' '}
        <a class="link" href={at(`/admin/provisioning/${source.id}`)}>
          {t.toSource}
        </a>
      </p>
    )
  return all.map((one) => (
    <p key={one.id} class="quiet small group-managed">
      <Icon name="link" size={16} />
      <span>{one === manager ? t.managedBy(named(one)) : t.addedBy(named(one))}</span>{' '}
      <a class="link" href={at(`/admin/sign-in/${one.id}?tab=groups`)}>
        {t.itsRules}
      </a>
    </p>
  ))
}
