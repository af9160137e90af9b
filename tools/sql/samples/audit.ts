import { pageHistoryRows, readHistory } from '../../../server/record/audit/histories.ts'
import { pageLogRows, readLog } from '../../../server/record/audit/log.ts'
import { namesAt } from '../../../server/record/audit/names.ts'
import { countDays, pageLogAbout } from '../../../server/record/audit/queries.ts'
import { verifySeals } from '../../../server/record/audit/verification.ts'
import type { Samples } from '../recorder.ts'

const days = { from: '2026-01-01', to: '2026-01-31' }
const page = { limit: 50, offset: 0 }
const at = '2026-01-01 00:00:00+00'
const counted = [{ count: 1 }]
const seal = { id: 1, at: new Date(0), rows: 1, hash: '00', followsOne: true, isSound: true, isInTime: true }
const wanted = { from: 1, limit: 20, noted: null }
const sealed = [{ id: 1 }]

export default {
  readLog: {
    'without a filter': (db) => readLog(db(counted), page),
    'by names': (db) => readLog(db([{ folded: 'sara' }], counted), { ...page, q: 'Sara' }),
    'by everything else, after an entry': (db) => {
      const about = { actorUserId: 1, targetType: 'role', targetId: 2, forcedOnly: true, action: ['role.force_delete'] }
      return readLog(db([{ id: 9, place: at }], counted), { ...page, ...days, ...about, before: 9 })
    },
  },
  pageLogRows: (db) => pageLogRows(db(), {}),
  countDays: {
    'from stored counts': (db) => countDays(db(), days),
    'of a record': (db) => countDays(db(), { ...days, targetType: 'role', targetId: 1 }),
  },
  pageLogAbout: (db) => pageLogAbout(db(counted, counted), ['meeting', 'meeting_task'], { ...page, verb: 'update' }),
  namesAt: {
    'of people': (db) => namesAt(db(), [{ at, ids: { users: [1] } }]),
    'of apps': (db) => namesAt(db(), [{ at, ids: { apps: [1] } }]),
  },
  readHistory: (db) => readHistory(db(counted), ['user.roles', 'user.groups'], 1, { ...page, ...days }),
  pageHistoryRows: (db) => pageHistoryRows(db(), ['user.roles', 'user.groups'], 1, {}),
  verifySeals: {
    'which names a wrong row': (db) => verifySeals(db(sealed, [{ ...seal, isSound: false }]), wanted),
    'which names a misdated row': (db) => verifySeals(db(sealed, [{ ...seal, isInTime: false }]), wanted),
  },
} satisfies Samples
