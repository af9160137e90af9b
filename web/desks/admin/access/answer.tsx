import type { ComponentChildren } from 'preact'
import { SentenceText } from '../../../parts/overlay/consequences/consequences.tsx'
import { Icon } from '../../../parts/show/icon.tsx'
import { Loaded, Skeleton } from '../../../parts/show/skeleton.tsx'
import type { Schemas } from '../../../platform/client.ts'
import { isolated, named, nameOf } from '../../../platform/language.ts'
import { at } from '../../../platform/router.ts'
import type { App } from '../shared/directory.ts'
import { accessOf, explanationOf, isUnknown } from './data.ts'
import { past, textsAt } from './past-texts.ts'
import type { NamedApp, NamedPerson } from './question.tsx'
import { allOf, anyOf, because, groupTitle, permissionTitle, reasonText } from './reasons.ts'
import { t } from './texts.ts'
import { Ways } from './ways.tsx'

type Person = Schemas['UserProfile']
type Explanation = Schemas['AccessExplanation']

interface Door {
  key: string
  isOpen: boolean
  title: string
  why: string
}

/** The titles of the permissions and of the groups, each of which alone would show the app. */
const wouldBe = (reasons: Explanation['wouldGrant']) => ({
  wanted: reasons.filter(({ via }) => via === 'permission').map(permissionTitle),
  granted: reasons.filter(({ via }) => via === 'group').map(groupTitle),
})

/** The ways in which a person may see an app, such as a permission or a group, each open or closed, with the reason. */
function doorsOf({ visible, reasons, wouldGrant }: Explanation, held: readonly string[], at?: string): Door[] {
  const t = textsAt(at)
  const by = (via: string) => reasons.filter((reason) => reason.via === via)
  const admin = by('admin')
  const administrators: Door = {
    key: 'admin',
    isOpen: admin.length > 0,
    title: admin.length > 0 ? t.admin : t.noAdmin,
    why: admin.find(({ groupName }) => groupName) ? reasonText(admin.find(({ groupName }) => groupName)!, at) : t.adminWhy,
  }
  if (by('unrestricted').length > 0) return [{ key: 'everyone', isOpen: true, title: t.everyone, why: t.everyoneWhy }, administrators]
  const [permissions, groups] = [by('permission'), by('group')]
  const { wanted, granted } = wouldBe(wouldGrant)
  const has = held.length > 0 ? t.has(allOf(held)) : t.hasNone
  return [
    {
      key: 'permission',
      isOpen: permissions.length > 0,
      title: permissions.length > 0 ? t.permission : t.noPermission,
      why:
        permissions.length > 0
          ? permissions.map((reason) => reasonText(reason, at)).join(t.next)
          : wanted.length > 0
            ? `${t.asks(anyOf(wanted))} ${has}`
            : has,
    },
    {
      key: 'group',
      isOpen: groups.length > 0,
      title: groups.length > 0 ? t.group : t.noGroup,
      // If the person sees the app, the portal does not list the other groups to which the app is granted.
      why:
        groups.length > 0
          ? allOf(groups.map(groupTitle))
          : granted.length > 0
            ? t.granted(anyOf(granted))
            : visible
              ? ''
              : t.noGroupGranted,
    },
    administrators,
  ]
}

const Doors = ({ of }: { of: readonly Door[] }) => (
  <ol class="access-doors" aria-label={t.doors}>
    {of.map(({ key, isOpen, title, why }) => (
      <li key={key} data-open={isOpen || undefined}>
        <Icon name={isOpen ? 'circle-check' : 'circle-x'} size={18} />
        <strong>
          <span class="unseen">{isOpen ? t.isOpen : t.isClosed}: </span>
          {title}
        </strong>
        {why && (
          <span class="quiet small">
            <SentenceText text={why} />
          </span>
        )}
      </li>
    ))}
  </ol>
)

interface ExplainedProps {
  explanation: Explanation
  person: NamedPerson
  app: NamedApp
  at?: string
}

/** Explains why a person sees an app or not: now or, with `at`, at that moment. */
function Explained({ explanation, person, app, at: moment }: ExplainedProps) {
  const t = textsAt(moment)
  const { visible, reasons, wouldGrant } = explanation
  const [name, title] = [isolated(nameOf(person)), isolated(named(app))]
  const { wanted, granted } = wouldBe(wouldGrant)
  const needs = [
    ...(wanted.length > 0 ? [t.needsPermission(anyOf(wanted))] : []),
    ...(granted.length > 0 ? [t.needsGroup(anyOf(granted))] : []),
  ]
  const held = (accessOf(person.id, moment).data?.permissions ?? []).map(({ id, name: key }) =>
    permissionTitle({ permissionId: id, permissionName: key }),
  )
  return (
    <section class="card access-answer" data-visible={visible || undefined} aria-live="polite">
      <span class="access-sign">
        <Icon name={visible ? 'eye' : 'eye-off'} size={26} />
      </span>
      <h2>
        <SentenceText text={visible ? because(reasons, name, title, moment) : t.because.restricted(title, anyOf(needs))} />
      </h2>
      <Doors of={doorsOf(explanation, held, moment)} />
    </section>
  )
}

/** The reason why there is no explanation, shown in its place. */
const Off = ({ text, children }: { text: string; children?: ComponentChildren }) => (
  <section class="card access-answer">
    <span class="access-sign">
      <Icon name="eye-off" size={26} />
    </span>
    <div>
      <h2>
        <SentenceText text={text} />
      </h2>
      {children}
    </div>
  </section>
)

/** Explains why a person sees an app or not, and offers ways to change that. */
export function Answer({ person, app }: { person: Person; app: App }) {
  const pair = { userId: person.id, appId: app.id }
  const [name, title] = [isolated(nameOf(person)), isolated(named(app))]
  const off = !person.isActive
    ? { text: t.userOff(name), path: `/admin/users/${person.id}`, link: t.toUser }
    : !app.isActive && { text: t.appOff(title), path: `/admin/apps/${app.id}`, link: t.toApp }
  if (off)
    return (
      <Off text={off.text}>
        <p>
          <a class="link" href={at(off.path)}>
            {off.link}
          </a>
        </p>
      </Off>
    )
  return (
    <Loaded of={explanationOf(pair)} shape={<Skeleton count={1} height={10} />}>
      {(explanation) => (
        <>
          <Explained explanation={explanation} person={person} app={app} />
          <Ways pair={pair} isVisible={explanation.visible} user={name} app={title} />
        </>
      )}
    </Loaded>
  )
}

/** Explains why a person saw an app or not at a moment of the past. */
export function PastAnswer({ person, app, at: moment }: { person: NamedPerson; app: NamedApp; at: string }) {
  const explained = explanationOf({ userId: person.id, appId: app.id }, moment)
  if (isUnknown(explained.error)) return <Off text={past.notFound} />
  return (
    <Loaded of={explained} shape={<Skeleton count={1} height={10} />}>
      {(explanation) =>
        // If nothing would have granted the app, the account was deactivated or the app was hidden at that moment: an app that requires
        // nothing is open to everyone.
        explanation.visible || explanation.wouldGrant.length > 0 ? (
          <Explained explanation={explanation} person={person} app={app} at={moment} />
        ) : (
          <Off text={past.off} />
        )
      }
    </Loaded>
  )
}
