/** Groups that people can ask to join, their requests, and memberships that end. */
import { FIRST_DAY } from './organisation/calendar.ts'
import type { GroupKey } from './organisation/organisation.ts'
import type { Act, When } from './story.ts'

const inDays = (days: number) => new Date(Date.now() + days * 24 * 3600 * 1000).toISOString()

interface Offer {
  group: GroupKey
  approver: string
  maxDays: number | null
  noteAr: string
  noteEn: string
}
const offers: Offer[] = [
  {
    group: 'projects',
    approver: 'bandar',
    maxDays: 90,
    noteAr: 'لمن يشارك في مشروع. اذكر اسم المشروع.',
    noteEn: 'For people who take part in a project. Name the project.',
  },
  { group: 'media', approver: 'lama', maxDays: 30, noteAr: 'للتغطية الإعلامية لفعالية.', noteEn: 'For the coverage of an event.' },
  { group: 'legal', approver: 'ibrahim', maxDays: null, noteAr: 'للاطلاع على العقود.', noteEn: 'To read contracts.' },
]

interface Request {
  by: string
  group: GroupKey
  when: When
  days?: number
  reason: string
  decided?: { when: When; step: 'approve' | 'deny'; note?: string }
}
const requests: Request[] = [
  {
    by: 'sami',
    group: 'projects',
    when: [-6, '10:05'],
    days: 60,
    reason: 'أشارك في مشروع ربط الأنظمة.',
    decided: { when: [-6, '11:30'], step: 'approve' },
  },
  {
    by: 'amal',
    group: 'legal',
    when: [-3, '09:40'],
    reason: 'I need the lease of the new building.',
    decided: { when: [-3, '13:15'], step: 'deny', note: 'Wafa will send you the lease.' },
  },
  { by: 'rania', group: 'media', when: [-1, '12:20'], days: 14, reason: 'تغطية ملتقى الميزانية.' },
  { by: 'khalid', group: 'projects', when: [0, '08:50'], reason: 'The migration of the archive, until it is done.' },
]

interface Ids {
  groups: ReadonlyMap<string, number>
  users: ReadonlyMap<string, number>
}
/** The acts that concern access; `admin` is the administrator's username. */
export function accessActs({ groups, users }: Ids, admin: string): Act[] {
  const ids = new Map<Request, number>()
  const path = '/access-requests'
  return [
    {
      when: [FIRST_DAY, '09:10'],
      until: '09:14',
      play: async (as) => {
        const call = await as(admin)
        for (const { group, approver, ...offer } of offers)
          await call('PUT', `/groups/${groups.get(group)}/request-policy`, {
            ...offer,
            requestable: true,
            approverUserIds: [users.get(approver)],
          })
      },
    },
    {
      when: [-5, '13:40'],
      play: async (as) => {
        const member = { userId: users.get('dana'), expiresAt: inDays(5) }
        await (await as(admin))('POST', `/groups/${groups.get('media')}/users`, member)
      },
    },
    ...requests.flatMap((request): Act[] => {
      const { by, group, when, days, reason, decided } = request
      const ask: Act['play'] = async (as) => {
        const body = { groupId: groups.get(group), reason, ...(days && { days }) }
        ids.set(request, (await (await as(by))<{ id: number }>('POST', path, body)).id)
      }
      if (!decided) return [{ when, play: ask }]
      const { approver } = offers.find((offer) => offer.group === group)!
      const decide: Act['play'] = async (as) =>
        void (await (
          await as(approver)
        )('POST', `${path}/${ids.get(request)}/${decided.step}`, decided.note ? { note: decided.note } : {}))
      return [
        { when, play: ask },
        { when: decided.when, play: decide },
      ]
    }),
  ]
}
