/** The moment of a day and a time (`HH:MM`) where the reader is; without a time, the end of the day, or now if that is still to come. */
export function momentOf(day: string, time: string, now: Date) {
  const moment = new Date(`${day}T${time || '23:59:59.999'}`)
  return time === '' && moment > now ? now : moment
}
