/** The environment of the demo's portal. */
import { unset } from '../server/platform/config.ts'

type Environment = Record<string, string | undefined>

/** The variables for where the portal listens and how it runs. Any other variable may name a real system, which the demo must not reach. */
const kept = ['HOST', 'PORT', 'PUBLIC_URL', 'TRUST_PROXY', 'WORKERS', 'RATE_LIMITS', 'METRICS_HOST', 'METRICS_PORT', 'LOG_LEVEL']

/** The given environment, in which no variable of the portal is set except those in `kept`. */
export const environmentOf = (given: Environment): Environment => ({
  ...given,
  ...unset,
  ...Object.fromEntries(kept.map((name) => [name, given[name]])),
})
