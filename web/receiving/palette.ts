import { definePalette, type Finding } from '../frame/palette.ts'
import { claim, incoming } from '../orders/data.ts'
import { isReceiver } from '../platform/session.ts'
import { oldestWaiting } from './data.ts'
import { both, t } from './texts.ts'

function proposed(): Finding[] {
  const oldest = oldestWaiting()
  const words = [both.ar.claimOldest, both.en.claimOldest]
  return oldest ? [{ id: 'claim oldest', group: 'acts', text: t.claimOldest, words, icon: 'hand', run: () => claim(oldest) }] : []
}

export default definePalette({
  find() {
    if (!isReceiver.value) return []
    return incoming.peek() ? proposed() : incoming.load().then(proposed)
  },
})
