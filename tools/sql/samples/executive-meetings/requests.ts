import { pageRequests, readRequest } from '../../../../server/work/meetings/requests/queries.ts'
import type { Samples } from '../../recorder.ts'

const page = { limit: 50, offset: 0 }

export default {
  pageRequests: {
    'without a filter': (db) => pageRequests(db(), page, 1),
    'with all filters': (db) => pageRequests(db(), { ...page, status: 'pending', mine: true, meetingId: 2 }, 1),
  },
  readRequest: (db) => readRequest(db([{ id: 1 }]), 1),
} satisfies Samples
