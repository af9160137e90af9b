/** The teams that handle the demo's services. The members of a team are those of its own group or of a department. */
import type { GroupKey } from './organisation/organisation.ts'

/** Groups that exist only for a team; all other groups are departments. */
export const crews = [
  {
    key: 'hospitality',
    name: 'Hospitality',
    descriptionAr: 'الضيافة',
    descriptionEn: 'Hospitality\nCoffee, tea and guests',
    members: ['layla', 'mona', 'jaber', 'saleh'],
  },
  {
    key: 'workplace',
    name: 'Workplace',
    descriptionAr: 'بيئة العمل',
    descriptionEn: 'Workplace\nPrinting, cleaning and repairs',
    members: ['tariq', 'mona', 'jaber', 'saleh'],
  },
  {
    key: 'transport',
    name: 'Transport',
    descriptionAr: 'النقل',
    descriptionEn: 'Transport\nCars and couriers',
    members: ['layla', 'saleh', 'jaber'],
  },
] as const
export type TeamKey = (typeof crews)[number]['key'] | 'support'

export const teams: { key: TeamKey; nameAr: string; nameEn: string; group: GroupKey | TeamKey; leads: string[] }[] = [
  { key: 'hospitality', nameAr: 'فريق الضيافة', nameEn: 'Hospitality', group: 'hospitality', leads: ['mona'] },
  { key: 'workplace', nameAr: 'فريق بيئة العمل', nameEn: 'Workplace', group: 'workplace', leads: ['saleh'] },
  { key: 'transport', nameAr: 'فريق النقل', nameEn: 'Transport', group: 'transport', leads: ['saleh'] },
  { key: 'support', nameAr: 'الدعم الفني', nameEn: 'IT support', group: 'it', leads: ['omar'] },
]
