/** Every measurement of the portal; each prints its figures beside what they must keep to. */
import { benchHouse } from './house.ts'

const held = await benchHouse()
console.log(held ? 'All figures hold.' : 'Some figures do not hold.')
process.exitCode = held ? 0 : 1
