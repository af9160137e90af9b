/** What the metrics show: of a portal, and of what is told once for all its workers. */
import type pg from 'pg'
import { login } from './accounts/routes.ts'
import { figures } from './gauges.ts'
import { measure, measureMain } from './platform/metrics/metrics.ts'
import { current } from './system/feed.ts'

export { answerMain, gatherMeasures, serveMeasures } from './platform/metrics/metrics.ts'

/** Starts measuring a portal; of `worker`, every metric bears the number. */
export const measurePortal = (portal: Parameters<typeof measure>[0], worker?: string) => measure(portal, login, worker)

/** The same with what is told once; `serving` are the metrics of those that serve. */
export const measureHere = (connection: pg.PoolConfig, serving: () => Promise<string>) =>
  measureMain({ connection, figures, build: current }, serving)
