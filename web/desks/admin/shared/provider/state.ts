import { ago } from '../../../../platform/ago.ts'
import type { Schemas } from '../../../../platform/client.ts'
import { listed } from '../../../../platform/language.ts'
import { reasonOf } from './reasons.ts'
import { t } from './texts.ts'

type Provider = Schemas['Provider']

/** The sign-ins and refusals at a provider in the last 24 hours, in words. Without sign-ins, says when the last one was. */
export function stateOf({ isActive, signIns24h, refusals24h, lastSignInAt, overage24h }: Provider) {
  const refused = Object.entries(refusals24h).filter(([, count]) => count > 0)
  const total = refused.reduce((sum, [, count]) => sum + count, 0)
  const nobody = isActive ? (lastSignInAt ? t.lastSignIn(ago(lastSignInAt)) : t.nobodyYet) : t.offHint
  return [
    signIns24h > 0 ? t.signIns(signIns24h) : nobody,
    ...(total > 0 ? [t.refusals(total, listed(refused.map(([reason, count]) => reasonOf(reason, count))))] : []),
    ...(overage24h > 0 ? [t.overage(overage24h)] : []),
  ].join(' ')
}
