/** The moment of a day and a time (`HH:MM`) on this device's clock. Without a time: the end of the day, but at the latest now. */
export function momentOf(day: string, time: string, now: Date) {
  const moment = new Date(`${day}T${time || '23:59:59.999'}`)
  return time === '' && moment > now ? now : moment
}
