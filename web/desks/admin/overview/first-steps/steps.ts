/** The first steps of an empty portal, derived from its data and not from past presses. */
import { signal } from '@preact/signals'
import { settings } from '../../../../frame/site.ts'
import { resource } from '../../../../platform/cache.ts'
import { setting } from '../../../../platform/device.ts'
import { totals } from '../data.ts'
import { isDone, type Known, steps } from './rules.ts'

export const groups = resource('/groups', { query: { limit: 20 } })
/** The state of the portal; undefined until all of it is loaded. */
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
/** Hides the steps on this device. */
export function hideSteps() {
  setting.write('first-steps', 'hidden')
  isHidden.value = true
}

/** Whether the overview shows the steps. A missing name alone is not enough. */
export function isBeginning() {
  if (isHidden.value) return false
  const now = known()
  return now !== undefined && steps.some((step) => step !== 'name' && !isDone(step, now))
}
