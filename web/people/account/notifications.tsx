import { SelectField } from '../../parts/forms/field.tsx'
import { Switch } from '../../parts/forms/switch.tsx'
import { say } from '../../parts/overlay/toasts.tsx'
import { Button } from '../../parts/show/button.tsx'
import { attempt } from '../../parts/show/failures.ts'
import { Icon, type IconName } from '../../parts/show/icon.tsx'
import { Section } from '../../parts/show/section.tsx'
import { wishes } from '../../platform/ringing.ts'
import { isExecutive } from '../../platform/session.ts'
import { play, type SoundId, sounds, vibrate } from '../../platform/sounds.ts'
import { chooseNotifications, type Me } from './data.ts'
import { Push } from './push.tsx'
import { t } from './texts.ts'

type KindName = keyof typeof wishes

const icons: Record<KindName, IconName> = { order: 'clipboard-list', note: 'sticky-note', meeting: 'calendar' }

async function save(changes: Parameters<typeof chooseNotifications>[0], said: string) {
  if (await attempt(chooseNotifications(changes))) say({ text: said })
}

/** Plays a sound, and vibrates if wanted, as a new notification does. */
async function preview(sound: SoundId, vibrates: boolean) {
  if (vibrates) vibrate()
  if (!(await play(sound))) say({ text: t.silent })
}

function Kind({ kind, person }: { kind: KindName; person: Me }) {
  const { isWanted, sound, vibrates } = wishes[kind]
  const name = t.kinds[kind]
  const saved = t.kindSaved(name)
  return (
    <fieldset class="account-kind">
      <legend class="unseen">{name}</legend>
      <Icon name={icons[kind]} size={22} />
      <Switch label={name} hint={t.kindHints[kind]} on={person[isWanted]} change={(on) => save({ [isWanted]: on }, saved)} />
      {person[isWanted] && (
        <div class="account-manner">
          <SelectField
            label={t.sound}
            value={person[sound]}
            choices={sounds.map((value) => ({ value, text: t.sounds[value] }))}
            choose={(chosen) => {
              preview(chosen, false)
              save({ [sound]: chosen }, saved)
            }}
          />
          <Button icon="volume-2" onClick={() => preview(person[sound], person[vibrates])}>
            {t.preview}
          </Button>
          <Switch label={t.vibration} on={person[vibrates]} change={(on) => save({ [vibrates]: on }, saved)} />
        </div>
      )}
    </fieldset>
  )
}

/** How the person is notified. Each choice takes effect at once on every device, except pushes, which are chosen for each device. */
export function Notifications({ person }: { person: Me }) {
  const muted = person.notificationsMuted
  const kinds = (Object.keys(wishes) as KindName[]).filter((kind) => kind !== 'meeting' || isExecutive.value)
  return (
    <Section name="notifications" title={t.notifications} hint={t.notificationsHint}>
      <Switch
        label={t.muted}
        hint={t.mutedHint}
        on={muted}
        change={(on) => save({ notificationsMuted: on }, on ? t.mutedSaved : t.unmutedSaved)}
      />
      {!muted && kinds.map((kind) => <Kind key={kind} kind={kind} person={person} />)}
      <Push muted={muted} />
    </Section>
  )
}
