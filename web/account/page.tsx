import './style.css'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useTitle } from '../frame/site.ts'
import { Icon, type IconName } from '../parts/icon.tsx'
import { at } from '../platform/router.ts'
import { me } from '../platform/session.ts'
import { Look } from './look.tsx'
import { Notifications } from './notifications.tsx'
import { Password } from './password.tsx'
import { Profile } from './profile.tsx'
import { Sessions } from './sessions.tsx'
import { t } from './texts.ts'

const parts = (): [name: string, icon: IconName, text: string][] => [
  ['profile', 'user', t.profile],
  ['look', 'palette', t.look],
  ['clock', 'clock', t.clock],
  ['notifications', 'bell', t.notifications],
  ['password', 'key-round', t.password],
  ['sessions', 'monitor-smartphone', t.sessions],
]

/** A person's own profile, and how the portal looks and notifies them. */
export default function Account() {
  useTitle(t.title)
  const person = me.value
  const here = useSignal(location.hash)
  useEffect(() => {
    const go = () => {
      here.value = location.hash
      if (!here.value) return
      // After the frame, which scrolls to the top.
      setTimeout(() => {
        const part = document.getElementById(here.peek().slice(1))
        part?.focus({ preventScroll: true })
        part?.scrollIntoView()
      }, 100)
    }
    go()
    addEventListener('hashchange', go)
    return () => removeEventListener('hashchange', go)
  }, [])
  if (!person) return null
  return (
    <div class="account">
      <h1>{t.title}</h1>
      <nav class="account-nav" aria-label={t.parts}>
        {parts().map(([name, icon, text]) => (
          <a key={name} href={at(`/account#${name}`)} aria-current={here.value === `#${name}` ? 'location' : undefined}>
            <Icon name={icon} size={18} />
            {text}
          </a>
        ))}
      </nav>
      <div class="account-parts">
        <Profile person={person} />
        <Look person={person} />
        <Notifications person={person} />
        <Password username={person.username} />
        <Sessions />
      </div>
    </div>
  )
}
