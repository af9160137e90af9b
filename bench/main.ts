/**
 * `npm run bench` runs the everyday benchmarks, or those named, and writes their figures to `bench/RESULTS.md`. It reports figures that are
 * worse than those in that table by more than a tenth.
 */
import { benchAdministration } from './administration.ts'
import { benchAttack } from './attack.ts'
import { benchCapacity } from './capacity.ts'
import { takeFigures, writeResults } from './figures.ts'
import { benchGrowth } from './growth.ts'
import { benchHostile } from './hostile.ts'
import { benchHouse } from './house.ts'
import { benchIntegration } from './integration.ts'
import { benchLone } from './lone.ts'
import { benchManyStreams } from './many-streams.ts'
import { benchMeetings } from './meetings.ts'
import { benchNotes } from './notes.ts'
import { benchOrders } from './orders.ts'
import { benchReviews } from './reviews.ts'
import { benchSchedules } from './schedules.ts'
import { benchServices } from './services.ts'
import { benchStarts } from './starts.ts'
import { benchStreams } from './streams.ts'

const measurements: Record<string, () => Promise<boolean>> = {
  attack: benchAttack,
  growth: benchGrowth,
  hostile: benchHostile,
  house: benchHouse,
  integration: benchIntegration,
  lone: benchLone,
  meetings: benchMeetings,
  notes: benchNotes,
  orders: benchOrders,
  schedules: benchSchedules,
  services: benchServices,
  starts: benchStarts,
  streams: benchStreams,
  'many-streams': benchManyStreams,
  administration: benchAdministration,
  reviews: benchReviews,
  capacity: benchCapacity,
}
/**
 * The benchmarks that run by default. `administration`, `integration` and `reviews` are not among them, because they fill an organisation of
 * 50,000, nor `growth` and `hostile`, which take long, nor `many-streams`, which needs 11,000 file descriptors, nor `capacity` and `lone`, whose tables stand in `docs/`.
 */
const everyday = ['house', 'meetings', 'notes', 'orders', 'schedules', 'services', 'starts', 'streams', 'attack']
const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !(name in measurements))
if (unknown.length) throw new Error(`there is no measurement ${unknown.join(', ')}: there are ${Object.keys(measurements).join(', ')}`)

let held = true
const falls: string[] = []
for (const name of asked.length ? asked : everyday) {
  // The figures of a benchmark that failed do not count.
  const isWhole = await measurements[name]!().catch((error: unknown) => console.error(`${name} failed:`, error))
  const figures = takeFigures()
  if (isWhole !== undefined && figures.length) falls.push(...writeResults(name, figures))
  held &&= isWhole === true
}
for (const fall of falls) console.log(`FELL by more than a tenth: ${fall}`)
console.log(held ? 'All figures hold.' : 'Some figures do not hold.')
process.exitCode = held && falls.length === 0 ? 0 : 1
