import { texts } from '../../../platform/language.ts'

const ar = {
  title: 'تقارير الخدمات',
  purpose: 'عدد ما طُلب وما أُنجز في موعده. حذف طلب لا يغيّر هذه الأرقام.',
  team: 'الفريق',
  allTeams: 'كل الفرق',
}

const en: typeof ar = {
  title: 'Service reports',
  purpose: 'How much was ordered, and how much was done on time. Deleting an order doesn’t change the figures.',
  team: 'Team',
  allTeams: 'All teams',
}

export const t = texts({ ar, en })
