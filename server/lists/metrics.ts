/** The metrics of a portal, and those that exist once for all its workers. */
import type pg from 'pg'
import { login } from '../identity/accounts/routes.ts'
import { measure, measureMain } from '../platform/metrics/metrics.ts'
import { current } from '../site/system/feed.ts'
import { figures } from './gauges.ts'

export { answerMain, gatherMeasures, serveMeasures } from '../platform/metrics/metrics.ts'

/** Starts measuring a portal; with `worker`, every metric has the worker's number as a label. */
export const measurePortal = (portal: Parameters<typeof measure>[0], worker?: string) => measure(portal, login, worker)

/** Adds the metrics that exist once; `serving` returns those of the processes that answer requests. */
export const measureHere = (connection: pg.PoolConfig, serving: () => Promise<string>) =>
  measureMain({ connection, figures, build: current }, serving)
