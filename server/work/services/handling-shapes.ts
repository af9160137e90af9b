import { Type } from 'typebox'
import { Count, Id, Moment, Named, Nullable, OneOf, PageOf, PartialShape, Shape, Text, Timestamp } from '../../platform/http/shape.ts'
import { OptionName } from '../service-forms/shapes.ts'
import { Minutes } from './shapes.ts'

const NoticeText = Nullable(Text({ max: 300 }))
const OffOptions = Type.Array(OptionName, { maxItems: 200, description: 'Options of its form that are sold out, as `field.option`' })
const exampleNotice = { noticeAr: 'مغلق للجرد', noticeEn: 'Closed for the inventory', paused: true }
export const NewServiceNotice = Named(
  'NewServiceNotice',
  PartialShape({
    noticeAr: NoticeText,
    noticeEn: NoticeText,
    paused: Type.Boolean({ default: false, description: 'Nobody can order it. `isAvailable` does not change.' }),
    until: Nullable(
      Type.String({ ...Moment, description: 'ISO 8601, later than now and at most 92 days ahead: from then on, there is no notice.' }),
    ),
    offOptions: OffOptions,
  }),
  exampleNotice,
)
export const ServiceNotice = Named(
  'ServiceNotice',
  Shape({
    noticeAr: Nullable(Type.String()),
    noticeEn: Nullable(Type.String()),
    paused: Type.Boolean(),
    until: Nullable(Timestamp),
    offOptions: Type.Array(Type.String()),
  }),
  { ...exampleNotice, until: null, offOptions: ['drink.tea'] },
)

const Words = Nullable(Type.String())
export const CatalogueEntry = Named(
  'CatalogueEntry',
  Shape({
    serviceId: Id,
    mayOrder: Type.Boolean({ description: 'Whether it is available and meant for the caller; it may be paused.' }),
    mayOrderForOthers: Type.Boolean({ description: 'Whether the caller may order it for somebody else.' }),
    needsApproval: OneOf(['no', 'yes', 'depends'], { description: 'Whether somebody must approve an order of it; `depends`: on answers' }),
    formVersion: Nullable(Type.Integer({ description: 'Null where it has no form.' })),
    asksWantedAt: Type.Boolean({ description: 'Whether its form asks when it is wanted.' }),
    noticeAr: Words,
    noticeEn: Words,
    isPaused: Type.Boolean(),
    until: Nullable(Timestamp),
    receiveMinutes: Minutes('Working minutes until it is claimed'),
    completeMinutes: Minutes('Working minutes until it is completed'),
    dueIfNow: Named('DueIfNow', Shape({ receiveBy: Nullable(Timestamp), completeBy: Nullable(Timestamp) }), { receiveBy: null }),
    isOpen: Type.Boolean({ description: 'Whether its team works now' }),
    opensAt: Nullable(Type.Unsafe<Date>({ ...Timestamp, description: 'When its team works next; null while it does' })),
    offOptions: Type.Array(Type.String(), { description: 'Options of its form that are sold out, as `field.option`.' }),
    teamNameAr: Words,
    teamNameEn: Words,
    reopenDays: Count,
  }),
  {
    serviceId: 3,
    mayOrder: true,
    mayOrderForOthers: false,
    needsApproval: 'no',
    noticeAr: null,
    noticeEn: null,
    isPaused: false,
    until: null,
    formVersion: 2,
    opensAt: null,
    teamNameEn: 'IT support',
  },
)

export const GroupDependentServicesPage = Named(
  'GroupDependentServicesPage',
  PageOf(
    'items',
    Named(
      'GroupDependentService',
      Shape({
        part: OneOf(['team', 'audience', 'onBehalf', 'steps'], {
          description: 'The list that names the group: of the team with the id, or of the service.',
        }),
        id: Id,
        nameAr: Type.String(),
        nameEn: Type.String(),
        isLast: Type.Boolean({ description: 'Whether the list, or one of the steps, names nobody else.' }),
      }),
      { part: 'audience', nameAr: 'الضيافة', nameEn: 'Hospitality', isLast: false },
    ),
  ),
)
