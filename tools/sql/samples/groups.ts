import { previewSets } from '../../../server/people/groups/impact.ts'
import type { Samples } from '../recorder.ts'

export default {
  previewSets: (db) => previewSets(db(), 1, { userIds: [2], roleIds: [3], appIds: [4] }, 'en'),
} satisfies Samples
