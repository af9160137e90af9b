import { useRef } from 'preact/hooks'
import { Form } from '../../../parts/forms/form/form.tsx'
import { isSame } from '../../../parts/forms/form/merging.ts'
import { rereading, useForm } from '../../../parts/forms/form/use-form.ts'
import { IdsField } from '../../../parts/forms/ids-field.tsx'
import { Consequences } from '../../../parts/overlay/consequences/consequences.tsx'
import { useForeseen } from '../../../parts/overlay/consequences/use-foreseen.ts'
import { Loaded } from '../../../parts/show/skeleton.tsx'
import { type Titled, titleOf } from '../../../parts/show/title.ts'
import type { Schemas } from '../../../platform/client.ts'
import { matches } from '../../../platform/folded.ts'
import { isolated } from '../../../platform/language.ts'
import { lastEditor, searchGroups } from '../shared/directory.ts'
import { type Access, type App, accessOf, audienceOf, changeAccess, foresee, groupsOf, permissions } from './data.ts'
import { t } from './texts.ts'

type Record = Titled & { id: number }

/** Says in a sentence who sees an app, and edits its permissions and groups. */
export function Who({ app }: { app: App }) {
  const access = accessOf(app.id)
  return (
    <Loaded of={permissions}>
      {(all) => <Loaded of={access}>{(from) => <Editor app={app} all={all} from={from} version={access.version} />}</Loaded>}
    </Loaded>
  )
}

const differing = (some: number[], others: number[]) =>
  some.filter((one) => !others.includes(one)).length + others.filter((one) => !some.includes(one)).length

interface EditorProps {
  app: App
  all: Schemas['Permission'][]
  from: Access
  version: string | undefined
}

function Editor({ app, all, from, version }: EditorProps) {
  const { id } = app
  const foreseen = useForeseen<Access, Access>({
    plan: (values) => (isSame(values, from) ? undefined : values),
    ask: (set, signal) => foresee(id, set, signal),
  })
  const form = useForm<Access>({
    from,
    version,
    foreseen,
    save: (_, known, whole) => changeAccess(id, whole, known),
    reread: rereading(accessOf(id), (access): Access => access),
    by: () => lastEditor('app', id),
    saidOf: () => t.accessSaved,
    canUndo: true,
  })
  /** The groups of the saved rule, and those found by searches so far, because their names are needed later. */
  const found = useRef(new Map<number, Record>())
  for (const one of groupsOf(id, from.groupIds.length)) found.current.set(one.id, one)
  const { permissionIds, groupIds } = form.values
  const total = audienceOf(id, '', 1).data?.totalCount
  const chosen = all.filter((one) => permissionIds.includes(one.id))
  const groups = groupIds.flatMap((one) => found.current.get(one) ?? [])
  const isOpen = chosen.length === 0
  const changes = differing(permissionIds, from.permissionIds) + differing(groupIds, from.groupIds)
  const names = (some: Record[]) => some.map((one) => isolated(titleOf(one)))
  return (
    <Form of={form} isWide class="beside">
      <div class="desk-app-who">
        <p class="desk-app-sentence">
          {app.isActive ? (isOpen ? t.seenByAll : t.seenBy(names(chosen), names(groups))) : t.seenByNobody}{' '}
          {app.isActive && total !== undefined && !form.isChanged && t.people(total)}
        </p>
        <IdsField<Record>
          label={t.askedFor}
          hint={t.askedForHint}
          none={t.forEveryone}
          addLabel={t.addPermission}
          ids={permissionIds}
          saved={from.permissionIds}
          change={(ids) => form.set('permissionIds', ids)}
          of={(one) => all.find(({ id }) => id === one)}
          name={titleOf}
          find={(typed) => all.filter((one) => matches(typed, one.name, one.descriptionAr, one.descriptionEn))}
        >
          {(one) => <Name of={one} />}
        </IdsField>
        <IdsField<Record>
          label={t.grantedTo}
          hint={isOpen ? t.grantedNeedless : t.grantedToHint}
          none={t.noGroups}
          addLabel={t.addGroup}
          ids={groupIds}
          saved={from.groupIds}
          most={Number.POSITIVE_INFINITY}
          change={(ids) => form.set('groupIds', ids)}
          of={(one) => found.current.get(one)}
          name={titleOf}
          find={async (typed) => {
            const groups = await searchGroups(typed)
            for (const one of groups) found.current.set(one.id, one)
            return groups
          }}
        >
          {(one) => <Name of={one} />}
        </IdsField>
      </div>
      <Consequences of={foreseen} form={form} changes={changes} />
    </Form>
  )
}

const Name = ({ of }: { of: Titled }) => (
  <span class="desk-app-named">
    <bdi>{titleOf(of)}</bdi>
    {titleOf(of) !== of.name && (
      <bdi dir="ltr" class="quiet small">
        {of.name}
      </bdi>
    )}
  </span>
)
