/** The times that a person is told before they place an order. */

interface Entry {
  team: string
  /** When the closed team works again. */
  opensAt?: string | null | undefined
  receiveBy?: string | null | undefined
  completeBy?: string | null | undefined
}
interface Told {
  kind: 'opens' | 'by' | 'receivedBy'
  at: string
}

/**
 * When the team works again, if it is closed now; and when an order placed now is due to be completed, or at least claimed. An order that is
 * wanted at a later moment is due only then.
 */
export function timesOf({ team, opensAt, receiveBy, completeBy }: Entry, wantedAt?: string): Told[] {
  const by = wantedAt && wantedAt > (completeBy ?? '') ? wantedAt : completeBy
  const told = [
    { kind: 'opens', at: team && opensAt },
    { kind: by ? 'by' : 'receivedBy', at: by || receiveBy },
  ] as const
  return told.filter((one): one is Told => !!one.at)
}
