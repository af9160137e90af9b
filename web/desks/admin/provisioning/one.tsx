import './style.css'
import { useEffect } from 'preact/hooks'
import { ConfirmedButton } from '../../../parts/overlay/confirmed-button.tsx'
import { say } from '../../../parts/overlay/toasts.tsx'
import { Section } from '../../../parts/show/section.tsx'
import { isolated } from '../../../platform/language.ts'
import { at, onward } from '../../../platform/router.ts'
import { Head } from '../shared/head.tsx'
import { RecordPage } from '../shared/record-page.tsx'
import { Connecting } from './connecting.tsx'
import { removeSource, type Source, sourceOf } from './data.ts'
import { Held } from './held.tsx'
import { Refusals } from './refusals.tsx'
import { Settings } from './settings.tsx'
import { LastCall } from './state.tsx'
import { t } from './texts.ts'

const AGAIN_MS = 30_000

/** A number of records, which leads to them if there are any. */
const Counted = ({ text, address }: { text: string; address: string | false }) =>
  address ? (
    <a class="link" href={at(address)}>
      {text}
    </a>
  ) : (
    <span>{text}</span>
  )

/** A source: its connection, its last calls, its refusals, and its rights. */
export function OneSource({ id }: { id: number }) {
  const source = sourceOf(id)
  // Poll, because no event announces a call that changes nothing.
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') source.refresh()
    }, AGAIN_MS)
    return () => clearInterval(timer)
  }, [id])
  return (
    <RecordPage
      of={source}
      target="source"
      id={id}
      title={({ name }) => name}
      noun={t.title}
      list={{ path: '/admin/provisioning', title: t.title }}
      gone={t.gone}
    >
      {(data) => <One source={data} />}
    </RecordPage>
  )
}

function One({ source }: { source: Source }) {
  const { id, name, isActive, heldAt, userCount, groupCount } = source
  return (
    <div class="provisioning-one">
      <Head title={name}>
        <p class="provisioning-facts quiet small">
          {!isActive && <span class="chip">{t.off}</span>}
          <span>
            <LastCall of={source} />
          </span>
          <Counted text={t.people(userCount)} address={userCount > 0 && `/admin/users?source=${id}`} />
          <Counted text={t.groups(groupCount)} address={groupCount > 0 && `/admin/groups?source=${id}`} />
        </p>
      </Head>
      {heldAt && <Held source={source} />}
      <Connecting source={source} />
      <Settings source={source} />
      <Section name="refusals" title={t.refusals} hint={t.refusalsHint}>
        <Refusals source={source} />
      </Section>
      <div>
        <ConfirmedButton
          act={t.remove}
          hint={t.removeHint}
          keep={t.keep}
          run={async () => {
            const goOn = onward()
            await removeSource(id)
            say({ text: t.removed(isolated(name)) })
            goOn('/admin/provisioning', { replace: true })
          }}
        />
      </div>
    </div>
  )
}
