/** Converts days and clock times in the office's time zone to moments. */

const DAY_MS = 24 * 3600 * 1000

/** Returns a function that tells by how many milliseconds the time zone is ahead of UTC at a moment. */
function aheadOf(timeZone: string) {
  const writer = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
  return (moment: number) => {
    const written = writer.formatToParts(moment).find(({ type }) => type === 'timeZoneName')!.value
    const [, sign, hours = 0, minutes = 0, seconds = 0] = /([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(written) ?? []
    return (sign === '-' ? -1000 : 1000) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds))
  }
}

/**
 * The moment at which the clock of a time zone shows this time, as `hh:mm`, on a day. A time that is skipped moves forward by the gap. Of a
 * time that comes twice, the first moment counts.
 */
export function momentOfClock(day: string, time: string, timeZone: string) {
  const aheadAt = aheadOf(timeZone)
  const shown = Date.parse(`${day}T${time}:00Z`)
  const [before, after] = [aheadAt(shown - DAY_MS), aheadAt(shown + DAY_MS)]
  const moments = [shown - before, shown - after].filter((moment) => moment + aheadAt(moment) === shown)
  return new Date(moments.length ? Math.min(...moments) : shown - before)
}

/** The first moment of a day of the calendar in a time zone: later than midnight if the clock is put forward at midnight. */
export function startOfDay(day: string, timeZone: string) {
  const aheadAt = aheadOf(timeZone)
  const midnight = Date.parse(`${day}T00:00:00Z`)
  const starts = [midnight - aheadAt(midnight - DAY_MS), midnight - aheadAt(midnight + DAY_MS)].sort((one, other) => one - other)
  return new Date(starts.find((start) => start + aheadAt(start) >= midnight)!)
}
