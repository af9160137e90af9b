import { present } from '../../../platform/ago.ts'

const DAY_MS = 86_400_000
/** The day in UTC some days before today, as `YYYY-MM-DD`: the portal assigns past events to days in UTC. */
export const utcDay = (before = 0) => new Date(present().getTime() - before * DAY_MS).toISOString().slice(0, 10)
