import { definePalette, type Finding } from '../frame/palette.ts'
import { claim, incoming, teamNames } from '../orders/data.ts'
import { isReceiver } from '../platform/session.ts'
import { oldestWaiting } from './data.ts'
import { both, t } from './texts.ts'

function proposed(): Finding[] {
  const oldest = oldestWaiting()
  const words = [both.ar.claimOldest, both.en.claimOldest]
  if (!oldest) return []
  const handing = {
    text: t.handOverOldest,
    words: [both.ar.handOverOldest, both.en.handOverOldest],
    path: `/incoming?handover=${oldest.id}`,
  }
  return [
    { id: 'claim oldest', group: 'acts', text: t.claimOldest, words, icon: 'hand', run: () => claim(oldest) },
    ...(teamNames.peek()?.length ? [{ id: 'hand over oldest', group: 'acts', icon: 'arrow-right', ...handing } as const] : []),
  ]
}

export default definePalette({
  find() {
    if (!isReceiver.value) return []
    return incoming.peek() && teamNames.peek() ? proposed() : Promise.all([incoming.load(), teamNames.load()]).then(proposed)
  },
})
