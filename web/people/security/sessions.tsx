import { say } from '../../parts/overlay/toasts.tsx'
import { Button } from '../../parts/show/button.tsx'
import { attempt } from '../../parts/show/failures.ts'
import { Icon } from '../../parts/show/icon.tsx'
import { Section } from '../../parts/show/section.tsx'
import { Loaded } from '../../parts/show/skeleton.tsx'
import { ago } from '../../platform/ago.ts'
import { exactly } from '../../platform/dates.ts'
import { endSessions, type Session, sessions } from './data.ts'
import { deviceOf } from './devices.ts'
import { t } from './texts.ts'

function Row({ session }: { session: Session }) {
  const { browser, system, isPhone } = deviceOf(session.userAgent)
  const device = t.device(browser, system)
  return (
    <li class="security-item">
      <Icon name={isPhone ? 'smartphone' : 'monitor'} size={22} />
      <div>
        <p>
          {device}{' '}
          {session.current && (
            <span class="chip" data-kind="on">
              {t.current}
            </span>
          )}
        </p>
        <p class="quiet small">
          <span title={exactly(session.lastUsedAt)}>{session.current ? t.usedNow : t.used(ago(session.lastUsedAt))}</span>{' '}
          <bdi>{session.ip}</bdi>
        </p>
      </div>
      {!session.current && (
        <Button
          kind="plain"
          aria-label={t.endNamed(device)}
          onClick={async () => {
            if (await attempt(endSessions([session]))) say({ text: t.ended })
          }}
        >
          {t.end}
        </Button>
      )}
    </li>
  )
}

/** The person's sessions, this device first. */
export function Sessions() {
  return (
    <Section name="sessions" title={t.sessions} hint={t.sessionsHint}>
      <Loaded of={sessions}>
        {(all) => {
          const others = all.filter(({ current }) => !current)
          return (
            <>
              <ul class="security-list">
                {[...all.filter(({ current }) => current), ...others].map((session) => (
                  <Row key={session.id} session={session} />
                ))}
              </ul>
              {others.length > 1 && (
                <Button
                  kind="danger"
                  onClick={async () => {
                    if (await attempt(endSessions(others))) say({ text: t.othersEnded(others.length) })
                  }}
                >
                  {t.endOthers}
                </Button>
              )}
            </>
          )
        }}
      </Loaded>
    </Section>
  )
}
