/** What an empty portal needs first, told from what there is and not from what was pressed. */
import { signal } from '@preact/signals'
import { settings } from '../../../frame/site.ts'
import { resource } from '../../../platform/cache.ts'
import { setting } from '../../../platform/device.ts'
import { totals } from '../data.ts'
import { isDone, type Known, steps } from './rules.ts'

export const groups = resource('/groups', { query: { limit: 20 } })
/** What there is; undefined until all of it is known. */
export function known(): Known | undefined {
  const [home, site, some] = [totals.data, settings.data, groups.data]
  return (
    home &&
    site &&
    some && {
      siteNameAr: site.siteNameAr,
      siteNameEn: site.siteNameEn,
      apps: home.totalApps,
      services: home.totalServices,
      groups: some.filter(({ isSystem }) => !isSystem).length,
      people: home.totalUsers,
    }
  )
}

const isHidden = signal(setting.read('first-steps') === 'hidden')
/** Takes the steps off the page, on this device. */
export function hideSteps() {
  setting.write('first-steps', 'hidden')
  isHidden.value = true
}

/** Whether the first page shows them: from what is not done yet, the name alone is no reason. */
export function isBeginning() {
  if (isHidden.value) return false
  const now = known()
  return now !== undefined && steps.some((step) => step !== 'name' && !isDone(step, now))
}
