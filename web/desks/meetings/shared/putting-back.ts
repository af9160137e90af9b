/** Reverts entries of the meetings' log, with a preview. It overwrites later changes only with consent. */
import type { Preview } from '../../../parts/show/history/previewed.tsx'
import { changedSince } from '../../../parts/show/log/written.ts'
import { answer, api, type Schemas } from '../../../platform/client.ts'
import { Refusal } from '../../../platform/refusal.ts'

const revert = (entryId: number, body: Schemas['Reverting']) =>
  answer(api.POST('/executive-meetings/audit-logs/{entryId}/revert', { params: { path: { entryId } }, body }))

/** `labelOf` names a field; `written` shows its value, if there are words for it. */
export function puttingBack(
  labelOf: (field: string) => string,
  written: (field: string, value: unknown) => string | undefined,
  done: () => void,
) {
  /** The entries whose revert would overwrite later changes, each with the version of the changes that the preview showed. */
  const over = new Map<number, string>()
  return {
    async preview({ id }: { id: number }): Promise<Preview> {
      over.delete(id)
      try {
        await revert(id, { dryRun: true })
        return {}
      } catch (failure) {
        if (!(failure instanceof Refusal && failure.code === 'changed_since')) throw failure
        over.set(id, String(failure.body['version']))
        const fields = failure.body['fields'] as Schemas['FieldChangedSince'][]
        return { overwrites: fields.map(({ field, now }) => changedSince(labelOf(field), written(field, now))) }
      }
    },
    async run({ id }: { id: number }) {
      const overwrite = over.get(id)
      await revert(id, overwrite === undefined ? {} : { overwrite })
      done()
    },
  }
}
