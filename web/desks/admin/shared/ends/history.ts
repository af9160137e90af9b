/** Ends of memberships and roles in the entries of histories. */
import type { Schemas } from '../../../../platform/client.ts'
import { shortDay } from '../../../../platform/dates.ts'
import { t } from './texts.ts'

type Change = Pick<Schemas['PermissionAuditEntry'], 'actor' | 'createdAt' | 'addedIds' | 'removedIds' | 'ends'>

/** The end of each added membership, in the order of the added members; null: without an end. */
export const endsOfAdded = ({ addedIds, ends }: Change) => addedIds.map((id) => ends.find((end) => end.id === id)?.to ?? null)

/** Names with their ends, for a sentence. An end that all names share is said once. `list` joins the names. */
export function withEnds(names: readonly string[], ends: readonly (string | null)[], list: (names: readonly string[]) => string) {
  const [first] = ends
  const until = (text: string, end: string | null | undefined) => (end ? t.until(text, shortDay(end)) : text)
  if (ends.every((end) => end === first)) return until(list(names), first)
  return list(names.map((name, index) => until(name, ends[index])))
}

/** Whether the portal removed the members because their time was over. */
export const isExpiry = ({ actor, createdAt, removedIds, ends }: Change) =>
  actor === null &&
  removedIds.length > 0 &&
  removedIds.every((id) => ends.some(({ id: one, from }) => one === id && from !== null && from <= createdAt))

/** The sentence about members whose time was over. */
export const overSentence = (kind: 'group' | 'role', by: string, names: string) => t.moved[kind].over(by, names)

/** The sentences about changed ends of members who stayed. `nameOf` returns the isolated name of a member. */
export function endSentences({ addedIds, removedIds, ends }: Change, kind: 'group' | 'role', by: string, nameOf: (id: number) => string) {
  const { changed, given, taken } = t.moved[kind]
  return ends
    .filter(({ id }) => !addedIds.includes(id) && !removedIds.includes(id))
    .map(({ id, from, to }) =>
      from && to
        ? changed(by, nameOf(id), shortDay(from), shortDay(to))
        : to
          ? given(by, nameOf(id), shortDay(to))
          : taken(by, nameOf(id), from ? shortDay(from) : ''),
    )
}
