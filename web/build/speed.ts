/**
 * Measures loading, responsiveness and memory of the pages against their budgets; fails if one is exceeded. Run by
 * `npm run pages:measure`, on a separate portal.
 */
import { chromium } from 'playwright-core'
import { PASSWORD } from '../../bench/people.ts'
import { openBenchPortal } from '../../bench/portal.ts'
import { report } from './budgets.ts'
import { measureLoads } from './loads.ts'
import { callsOf, measureBoard, measureHour, measurePresses, times } from './work.ts'

const APPS = 12
const ORDERS = 1000

const portal = await openBenchPortal()
const browser = await chromium.launch({ executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium', args: ['--no-sandbox'] })
try {
  // Pages may call only the portal's own address, which is `localhost`.
  const base = portal.base.replace('127.0.0.1', 'localhost')
  const named = (username: string) => ({ username, password: PASSWORD })
  const admin = await callsOf(base, named('admin'))
  for (let app = 1; app <= APPS; app++)
    await admin('POST', '/apps', {
      slug: `app-${app}`,
      nameAr: `تطبيق ${app}`,
      nameEn: `App ${app}`,
      iconName: 'box',
      route: '/',
      color: '#0b6b62',
    })
  const { id: serviceId } = await admin('POST', '/services', { nameAr: 'قهوة', nameEn: 'Coffee' })
  for (const [username, ...roles] of [['orderer'], ['receiver', 'order_receiver']] as const) {
    const { id } = await admin('POST', '/users', { ...named(username), email: `${username}@example.org` })
    for (const roleName of roles) await admin('POST', `/users/${id}/roles`, { roleName })
  }
  const [place, work] = [await callsOf(base, named('orderer')), await callsOf(base, named('receiver'))]

  report(await measureLoads(browser, base, named('orderer')))
  report(await measurePresses(browser, base, named('orderer')))
  report(await measureHour(browser, base, named('admin'), [place, work], serviceId))
  await times(ORDERS, () => place('POST', '/orders', { serviceId, notes: 'Two cups, please' }))
  report(await measureBoard(browser, base, named('admin')))
} finally {
  await browser.close()
  await portal.close()
}
