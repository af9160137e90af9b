import { findPasskey } from '../../../../server/identity/factors/queries.ts'
import type { Samples } from '../../recorder.ts'

export default {
  findPasskey: (db) => findPasskey(db(), Buffer.from('id')),
} satisfies Samples
