import './style.css'
import { useTitle } from '../frame/site.ts'
import { me } from '../platform/session.ts'
import { Look } from './look.tsx'
import { Notifications } from './notifications.tsx'
import { Password } from './password.tsx'
import { Profile } from './profile.tsx'
import { Sessions } from './sessions.tsx'
import { t } from './texts.ts'

/** What a person says of themselves, and how the portal looks to them. */
export default function Account() {
  useTitle(t.title)
  const person = me.value
  if (!person) return null
  return (
    <div class="account">
      <h1>{t.title}</h1>
      <Profile person={person} />
      <Look person={person} />
      <Notifications person={person} />
      <Password username={person.username} />
      <Sessions />
    </div>
  )
}
