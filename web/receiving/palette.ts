import { definePalette } from '../frame/palette.ts'
import { claim, incoming } from '../orders/data.ts'
import { isReceiver } from '../platform/session.ts'
import { oldestWaiting } from './data.ts'
import { t } from './texts.ts'

export default definePalette({
  async find(typed) {
    if (!isReceiver.value || !typed) return []
    await incoming.load().catch(() => {})
    const oldest = oldestWaiting()
    return oldest ? [{ id: 'claim oldest', text: t.claimOldest, kind: t.kind, icon: 'hand', run: () => claim(oldest) }] : []
  },
})
