/** The presence of people: somebody is present while they have an event stream open, in any instance. */

/** The key of the leases that a person's streams take. */
export const streamsOf = (personId: number) => `streams of ${personId}`

/** SQL: whether the person with this id is present. */
export const isPresent = (id: string) => `exists (select from leases where key = 'streams of ' || ${id} and not is_gone(holder))`
