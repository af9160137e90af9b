/** `npm run bench` runs the everyday benchmarks, or those named. Each prints its figures beside their targets. */
import { benchAdministration } from './administration.ts'
import { benchAttack } from './attack.ts'
import { benchHouse } from './house.ts'
import { benchMeetings } from './meetings.ts'
import { benchNotes } from './notes.ts'
import { benchOrders } from './orders.ts'
import { benchSchedules } from './schedules.ts'
import { benchStreams } from './streams.ts'

const measurements: Record<string, () => Promise<boolean>> = {
  attack: benchAttack,
  house: benchHouse,
  meetings: benchMeetings,
  notes: benchNotes,
  orders: benchOrders,
  schedules: benchSchedules,
  streams: benchStreams,
  administration: benchAdministration,
}
/** The benchmarks that run by default. `administration` is not among them, because it takes a quarter of an hour. */
const everyday = ['house', 'meetings', 'notes', 'orders', 'schedules', 'streams', 'attack']
const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !(name in measurements))
if (unknown.length) throw new Error(`there is no measurement ${unknown.join(', ')}: there are ${Object.keys(measurements).join(', ')}`)

let held = true
for (const name of asked.length ? asked : everyday) held = (await measurements[name]!()) && held
console.log(held ? 'All figures hold.' : 'Some figures do not hold.')
process.exitCode = held ? 0 : 1
