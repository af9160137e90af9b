import { definePalette, type Finding } from '../../frame/palette.ts'
import { isReceiver } from '../../platform/session.ts'
import { actsFor, claim, incoming, teamNames } from '../orders/data.ts'
import { detailsOnBoard, first } from './details.ts'
import { both, t } from './texts.ts'
import { firstNow } from './turns.ts'

function proposed(): Finding[] {
  const known = detailsOnBoard()
  const waiting = incoming.peek()?.filter(({ id, status }) => status === 'pending' && known.has(id)) ?? []
  const oldest = firstNow(waiting.map((order) => ({ order, details: known.get(order.id) })))
  if (!oldest) return []
  const { order, details } = oldest
  const claiming = { text: t.claimOldest, words: [both.ar.claimOldest, both.en.claimOldest], run: () => claim(order) }
  const handing = {
    text: t.handOverOldest,
    words: [both.ar.handOverOldest, both.en.handOverOldest],
    path: `/incoming?handover=${order.id}`,
  }
  const isHanded = actsFor(order, details).handsOver && teamNames.peek()?.length
  return [
    { id: 'claim oldest', group: 'acts', icon: 'hand', ...claiming },
    ...(isHanded ? [{ id: 'hand over oldest', group: 'acts', icon: 'arrow-right', ...handing } as const] : []),
  ]
}

export default definePalette({
  find() {
    if (!isReceiver.value) return []
    // `load` does not fetch fresh data again.
    return Promise.all([incoming, first, teamNames].map((one) => one.load())).then(proposed)
  },
})
