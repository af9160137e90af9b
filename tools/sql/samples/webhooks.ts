import { handOut, noteTries, type Tried } from '../../../server/record/webhooks/deliveries.ts'
import { listWebhooks, readWebhook, resume } from '../../../server/record/webhooks/queries.ts'
import type { Message } from '../../../server/record/webhooks/rules.ts'
import type { Samples } from '../recorder.ts'

const message: Message = {
  sequence: 7,
  part: 1,
  type: 'role.created',
  choices: ['role.created', 'role.*'],
  webhookId: null,
  body: '{}',
  at: new Date(0),
}
const tried: Tried = {
  ...{
    webhookId: 1,
    url: 'https://stock.example.org/',
    sequence: 7,
    part: 1,
    tries: 0,
    isDelivered: false,
    status: 503,
    error: 'status',
    ms: 20,
    afterMs: 3000,
    restMs: null,
    isBusy: false,
  },
}

export default {
  listWebhooks: (db) => listWebhooks(db(), 'ar'),
  readWebhook: (db) => readWebhook(db([{ isActive: true }]), 1),
  resume: (db) => resume(db([], [{ place: 5, begunAfter: 7, underWay: [6] }]), { id: 1, place: 3 }, 'now'),
  handOut: (db) => handOut(db(), [1], [message], 7),
  noteTries: (db) => noteTries(db() as never, [tried]),
} satisfies Samples
