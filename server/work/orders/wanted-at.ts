const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

export interface WantedAtSettings {
  leadMinutes: number
  maxDays: number
  withinHours: boolean
}

export async function judgeWantedAt(now: Date, wanted: Date, settings: WantedAtSettings): Promise<'early' | 'late' | 'closed' | null> {
  const ahead = wanted.getTime() - now.getTime()
  if (ahead < settings.leadMinutes * MINUTE_MS) return 'early'
  return ahead > settings.maxDays * DAY_MS ? 'late' : null
}
