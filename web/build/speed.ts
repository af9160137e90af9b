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
/** A person may have at most 100 orders in work. */
const ORDERERS = 20

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
  const create = (username: string) => admin('POST', '/users', { ...named(username), email: `${username}@example.org` })
  const { id: receiver } = await create('receiver')
  await admin('POST', `/users/${receiver}/roles`, { roleName: 'order_receiver' })
  const work = await callsOf(base, named('receiver'))
  const orderers = Array.from({ length: ORDERERS }, (_, n) => named(`orderer${n}`))
  for (const { username } of orderers) await create(username)
  const places = await Promise.all(orderers.map((one) => callsOf(base, one)))

  report(await measureLoads(browser, base, orderers[0]!))
  report(await measurePresses(browser, base, orderers[0]!))
  report(await measureHour(browser, base, named('admin'), [places[0]!, work], serviceId))
  await times(ORDERS, (n) => places[n % ORDERERS]!('POST', '/orders', { serviceId, notes: 'Two cups, please' }))
  report(await measureBoard(browser, base, named('admin')))
} finally {
  await browser.close()
  await portal.close()
}
