import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { generated } from '../../test/suite.ts'
import { actsAgainst, type Ends, endsReason, leastActs } from './ways.ts'

const source = fc.record({ act: fc.constant('role.remove' as const), of: fc.integer({ min: 1, max: 4 }) })
const gate = fc.record({ act: fc.constant('permission.app.remove' as const), of: fc.integer({ min: 1, max: 4 }) })
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 6 })
const reasons = fc.array(fc.tuple(maybe(source), maybe(gate)) as fc.Arbitrary<Ends>, { minLength: 1, maxLength: 8 })

/** The smallest number of acts that ends every reason, by trying all sets of acts. */
function tryAll(all: readonly Ends[]): number | null {
  const acts = all.flatMap((ends) => ends.flatMap((act) => act ?? []))
  const keys = [...new Map(acts.map((act) => [`${act.act} ${act.of}`, act])).values()]
  let least: number | null = null
  for (let chosen = 0; chosen < 1 << keys.length; chosen++) {
    const some = keys.filter((_, n) => chosen & (1 << n))
    if ((least === null || some.length < least) && all.every((ends) => some.some((act) => endsReason(act)(ends)))) least = some.length
  }
  return least
}

test('the least number of acts that end all reasons is the same as by trying all sets', () =>
  fc.assert(
    fc.property(reasons, (all) => {
      assert.equal(leastActs(all)?.steps ?? null, tryAll(all))
      for (const { steps, ...act } of actsAgainst(all)) {
        const rest = all.filter((ends) => !endsReason(act)(ends))
        assert.equal(steps, 1 + tryAll(rest)!)
      }
    }),
    generated(200, 2000),
  ))
