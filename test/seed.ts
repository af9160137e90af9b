/**
 * A portal with an organisation that tests refer to by name: `org.huda.post('/orders', { serviceId: org.coffee.id })`. Changes by one
 * test stay for the later tests of its file.
 */
import { before } from 'node:test'
import { makers } from './makers.ts'
import type { PersonFields } from './people.ts'
import { type Answer, type Client, testPortal } from './portal.ts'

type Make = ReturnType<typeof makers>

/** The people: the names, and the roles of each besides `user`. */
const people = {
  /** Ordinary people: they order and write notes. */
  huda: { displayNameAr: 'هدى', displayNameEn: 'Huda' },
  omar: { displayNameAr: 'عمر', displayNameEn: 'Omar' },
  /** Receivers of orders. */
  salem: { displayNameAr: 'سالم', displayNameEn: 'Salem', roles: ['order_receiver'] },
  rana: { displayNameAr: 'رنا', displayNameEn: 'Rana', roles: ['order_receiver'] },
  /** The executive's office: its head, its manager, a coordinator and a reader. */
  maha: { displayNameAr: 'مها', displayNameEn: 'Maha', roles: ['executive_ceo'] },
  tariq: { displayNameAr: 'طارق', displayNameEn: 'Tariq', roles: ['executive_office_manager'] },
  noura: { displayNameAr: 'نورة', displayNameEn: 'Noura', roles: ['executive_coordinator'] },
  faisal: { displayNameAr: 'فيصل', displayNameEn: 'Faisal', roles: ['executive_viewer'] },
} satisfies Record<string, PersonFields>
type Name = keyof typeof people

async function fill(make: Make) {
  const coffee = await make.newService({ nameAr: 'قهوة', nameEn: 'Coffee' })
  const tea = await make.newService({ nameAr: 'شاي', nameEn: 'Tea' })
  const news = await make.newApp({ slug: 'news', nameAr: 'الأخبار', nameEn: 'News' })
  const [finance] = await make.idsOfPermissions('portal.finance')
  // Nobody has the permission to see this app.
  const payroll = await make.newApp({ slug: 'payroll', nameAr: 'الرواتب', nameEn: 'Payroll', permissionIds: [finance] })
  const reception = await make.newGroup({ name: 'Reception' })
  return { coffee, tea, news, payroll, reception }
}

type Organisation = Record<Name | 'admin', Client> & Awaited<ReturnType<typeof fill>>

async function bodyOf(sent: Promise<Answer>) {
  const { status, body, text } = await sent
  if (status !== 201) throw new Error(`${status} ${text}`)
  return body
}

export function seededPortal(...given: Parameters<typeof testPortal>) {
  const portal = testPortal(...given)
  const make = makers(portal)
  const org = {} as Organisation
  const isFilled = Promise.withResolvers<void>()
  isFilled.promise.catch(() => {})
  before(async () => {
    await portal.ready
    try {
      org.admin = portal.admin
      for (const [name, fields] of Object.entries(people)) org[name as Name] = await portal.person(name, fields)
      Object.assign(org, await fill(make))
      isFilled.resolve()
    } catch (error) {
      isFilled.reject(error)
      throw error
    }
  })

  return {
    portal,
    org,
    make,
    /** Hooks of a file start concurrently: one that needs the organisation waits for this. */
    seeded: isFilled.promise,
    /** Huda's order of a coffee in this status. Salem claims it first, unless the status is `pending` or `cancelled`. */
    async order(status: 'pending' | 'received' | 'preparing' | 'completed' | 'cancelled' = 'pending', fields: object = {}) {
      const { body } = await org.huda.post('/orders', { serviceId: org.coffee.id, ...fields })
      const id = body.id as number
      if (status === 'cancelled') return (await org.huda.patch(`/orders/${id}/status`, { status })).body
      if (status === 'pending') return body
      const claimed = await org.salem.patch(`/orders/${id}/confirm-receipt`)
      if (status === 'received') return claimed.body
      return (await org.salem.patch(`/orders/${id}/status`, { status })).body
    },
    /** Huda's note, sent to Omar if requested. */
    async note({ sentTo = [], ...fields }: { sentTo?: Client[]; title?: string; content?: string } = {}) {
      const { body } = await org.huda.post('/notes', { title: 'Plan', ...fields })
      if (sentTo.length) await org.huda.post(`/notes/${body.id}/send`, { recipientUserIds: sentTo.map(({ id }) => id) })
      return body
    },
    /** Tariq's meeting, without participants. */
    meeting: (fields: object = {}, by = org.tariq) =>
      bodyOf(by.post('/executive-meetings', { date: '2030-05-01', startTime: '09:00', endTime: '10:00', titleEn: 'Budget', ...fields })),
    /** Noura's request, about a meeting or for a new one. */
    request: (fields: object, by = org.noura) => bodyOf(by.post('/executive-meetings/requests', fields)),
  }
}
