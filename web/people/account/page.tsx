import './style.css'
import { useEffect } from 'preact/hooks'
import { useTitle } from '../../frame/site.ts'
import { Contents } from '../../parts/show/contents.tsx'
import { go } from '../../platform/router.ts'
import { me } from '../../platform/session.ts'
import { Look } from './look.tsx'
import { Notifications } from './notifications.tsx'
import { Profile } from './profile.tsx'
import { t } from './texts.ts'

const SECURITY = '/account/security'

/** A person's own profile, and how the portal looks and notifies them. */
export default function Account() {
  useTitle(t.title)
  const person = me.value
  useEffect(() => {
    // These sections have moved to the security page, but mails and bookmarks still link here.
    if (['#password', '#sessions'].includes(location.hash)) go(SECURITY + location.hash, { replace: true })
  }, [])
  if (!person) return null
  return (
    <Contents
      title={t.title}
      label={t.parts}
      entries={[
        { name: 'profile', icon: 'user', text: t.profile },
        { name: 'look', icon: 'palette', text: t.look },
        { name: 'clock', icon: 'clock', text: t.clock },
        { name: 'notifications', icon: 'bell', text: t.notifications },
        { path: SECURITY, icon: 'shield', text: t.security },
        { path: '/access', icon: 'id-card', text: t.access },
      ]}
    >
      <Profile person={person} />
      <Look person={person} />
      <Notifications person={person} />
    </Contents>
  )
}
