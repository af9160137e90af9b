/** Reverts history entries after a preview; overwrites later changes only with consent. */
import type { Impact } from '../../../parts/overlay/consequences/shapes.ts'
import type { Preview } from '../../../parts/show/history/previewed.tsx'
import type { Entry } from '../../../parts/show/log/entries.ts'
import { labelOf } from '../../../parts/show/log/fields.ts'
import { changedSince, written } from '../../../parts/show/log/written.ts'
import { answer, api, type paths, type Schemas } from '../../../platform/client.ts'
import { formatNumber } from '../../../platform/language.ts'
import { Refusal } from '../../../platform/refusal.ts'

export type HistoryKind = paths['/admin/history/{kind}/{entryId}/revert']['post']['parameters']['path']['kind']

const revert = (kind: HistoryKind, entryId: number, body: Schemas['Reverting']) =>
  answer(api.POST('/admin/history/{kind}/{entryId}/revert', { params: { path: { kind, entryId } }, body }))

/** The preview of a revert. `ended`: members whose membership ended by time, and whom the revert therefore does not bring back. */
type Reverting = Impact & { ended?: readonly number[] }

/**
 * Previews and reverts entries of a history, or of the audit log. `nameOf` finds the name of a member that an entry removed from a set;
 * `entry` of the audit log has the names of records.
 */
export function reverting(
  kind: HistoryKind,
  done: () => void,
  nameOf: (entryId: number, id: number) => string | undefined = () => undefined,
  entry?: Entry,
) {
  const previewOf = (id: number, { ended = [], ...impact }: Reverting): Preview => ({
    impact,
    ended: ended.map((one) => nameOf(id, one) ?? formatNumber(one, { useGrouping: false })),
  })
  /** Entries whose revert overwrites later changes, with the version of the values that the preview showed. */
  const over = new Map<number, string>()
  return {
    async preview({ id }: { id: number }): Promise<Preview> {
      over.delete(id)
      try {
        return previewOf(id, (await revert(kind, id, { dryRun: true })) as unknown as Reverting)
      } catch (failure) {
        if (!(failure instanceof Refusal && failure.code === 'changed_since')) throw failure
        const overwrite = String(failure.body['version'])
        const preview = previewOf(id, (await revert(kind, id, { dryRun: true, overwrite })) as unknown as Reverting)
        over.set(id, overwrite)
        const fields = failure.body['fields'] as Schemas['FieldChangedSince'][]
        return { ...preview, overwrites: fields.map(({ field, now }) => changedSince(labelOf(field), written(field, now, entry))) }
      }
    },
    async run({ id }: { id: number }) {
      const overwrite = over.get(id)
      await revert(kind, id, overwrite === undefined ? {} : { overwrite })
      done()
    },
  }
}
