/** The template of every notice: its texts in both languages, in which `{name}` stands for a value. */

import type { NoticeTexts, noticeTypes, relatedTypes } from '../../work/notifications/shapes.ts'
import { accessTemplates } from './access.ts'
import { auditStreamTemplates } from './audit-stream.ts'
import { orderTemplates } from './orders.ts'
import { providerTemplates } from './providers.ts'
import { securityTemplates } from './security.ts'
import { sourceTemplates } from './sources.ts'
import { tokenTemplates } from './tokens.ts'
import { webhookTemplates } from './webhooks.ts'

export const templates = {
  reset_asked: {
    titleAr: 'طلب استعادة كلمة المرور',
    titleEn: 'Password reset requested',
    bodyAr: 'ورد طلب لاستعادة كلمة المرور لحساب {person}.',
    bodyEn: 'Someone asked to reset the password of {person}.',
  },
  ...orderTemplates,
  team_unstaffed: {
    titleAr: 'لا أحد يستلم طلبات فريق',
    titleEn: 'Nobody receives a team’s orders',
    bodyAr: 'لا أحد في مجموعات {team} يستلم الطلبات.',
    bodyEn: 'Nobody in the groups of {team} receives orders.',
  },
  audience_empty: {
    titleAr: 'لا أحد يمكنه طلب خدمة',
    titleEn: 'Nobody can order a service',
    bodyAr: 'حُذفت آخر مجموعة يُسمح لأعضائها بطلب خدمة «{service}».',
    bodyEn: 'The last group whose members may order “{service}” was deleted.',
  },
  meeting_scheduled: {
    titleAr: 'دُعيت إلى اجتماع',
    titleEn: 'You are invited to a meeting',
    bodyAr: 'دُعيت إلى اجتماع «{meeting}» يوم {when}.',
    bodyEn: 'You are invited to “{meeting}” on {when}.',
  },
  meeting_joined: {
    titleAr: 'أُضفت إلى اجتماع',
    titleEn: 'You were added to a meeting',
    bodyAr: 'أُضفت إلى اجتماع «{meeting}» يوم {when}.',
    bodyEn: 'You were added to “{meeting}” on {when}.',
  },
  meeting_left: {
    titleAr: 'سُحبت دعوتك إلى اجتماع',
    titleEn: 'You are no longer invited to a meeting',
    bodyAr: 'سُحبت دعوتك إلى اجتماع «{meeting}» يوم {when}.',
    bodyEn: 'You are no longer invited to “{meeting}” on {when}.',
  },
  meeting_moved: {
    titleAr: 'تغيّر موعد اجتماع أو مكانه',
    titleEn: 'The time or place of a meeting changed',
    bodyAr: 'صار اجتماع «{meeting}» يوم {when}{where}.',
    bodyEn: '“{meeting}” is now on {when}{where}.',
  },
  meeting_postponed: {
    titleAr: 'أُجّل اجتماع',
    titleEn: 'A meeting was postponed',
    bodyAr: 'أُجّل اجتماع «{meeting}» الذي كان مقررًا يوم {when}.',
    bodyEn: '“{meeting}”, planned for {when}, was postponed.',
  },
  meeting_cancelled: {
    titleAr: 'أُلغي اجتماع',
    titleEn: 'A meeting was cancelled',
    bodyAr: 'أُلغي اجتماع «{meeting}» الذي كان مقررًا يوم {when}.',
    bodyEn: '“{meeting}”, planned for {when}, was cancelled.',
  },
  meeting_deleted: {
    titleAr: 'حُذف اجتماع',
    titleEn: 'A meeting was deleted',
    bodyAr: 'حُذف اجتماع «{meeting}» الذي كان مقررًا يوم {when}.',
    bodyEn: '“{meeting}”, planned for {when}, was deleted.',
  },
  meeting_task_assigned: {
    titleAr: 'أُسندت إليك مهمة',
    titleEn: 'You have a new task',
    bodyAr: 'أُسندت إليك المهمة «{task}»{due}.',
    bodyEn: 'You have a new task: “{task}”{due}.',
  },
  meeting_task_changed: {
    titleAr: 'عُدّلت مهمة مسندة إليك',
    titleEn: 'One of your tasks changed',
    bodyAr: 'المهمة «{task}» {status}{due}.',
    bodyEn: '“{task}” is {status}{due}.',
  },
  meeting_task_moved: {
    titleAr: 'تغيّرت حالة مهمة',
    titleEn: 'The status of a task changed',
    bodyAr: 'المهمة «{task}» {status}{due}.',
    bodyEn: '“{task}” is {status}{due}.',
  },
  meeting_task_taken: {
    titleAr: 'لم تعد المهمة مسندة إليك',
    titleEn: 'A task is no longer assigned to you',
    bodyAr: 'لم تعد المهمة «{task}» مسندة إليك.',
    bodyEn: 'The task “{task}” is no longer assigned to you.',
  },
  meeting_task_deleted: {
    titleAr: 'حُذفت مهمة مسندة إليك',
    titleEn: 'One of your tasks was deleted',
    bodyAr: 'حُذفت المهمة «{task}» التي كانت مسندة إليك.',
    bodyEn: 'The task “{task}”, which was assigned to you, was deleted.',
  },
  meeting_request_removed: {
    titleAr: 'حُذف طلبك مع اجتماعه',
    titleEn: 'Your request was deleted with its meeting',
    bodyAr: 'حُذف اجتماع «{meeting}»، وحُذف معه طلبك بشأنه.',
    bodyEn: '“{meeting}” was deleted, and so was your request about it.',
  },
  meeting_request_made: {
    titleAr: 'طلب جديد بشأن اجتماع',
    titleEn: 'New meeting request',
    bodyAr: 'طلب جديد من {person} بشأن «{meeting}».{notes}',
    bodyEn: '{person} made a request about “{meeting}”.{notes}',
  },
  meeting_request_resubmitted: {
    titleAr: 'أُعيد تقديم طلب بشأن اجتماع',
    titleEn: 'Meeting request resubmitted',
    bodyAr: 'أُعيد تقديم طلب {person} بشأن «{meeting}» بعد تعديله.{notes}',
    bodyEn: '{person} revised and resubmitted a request about “{meeting}”.{notes}',
  },
  meeting_request_approved: {
    titleAr: 'اعتُمد طلبك بشأن اجتماع',
    titleEn: 'Your meeting request was approved',
    bodyAr: 'اعتُمد طلبك بشأن «{meeting}» بقرار من {person}.{notes}',
    bodyEn: '{person} approved your request about “{meeting}”.{notes}',
  },
  meeting_request_rejected: {
    titleAr: 'رُفض طلبك بشأن اجتماع',
    titleEn: 'Your meeting request was rejected',
    bodyAr: 'رُفض طلبك بشأن «{meeting}» بقرار من {person}.{notes}',
    bodyEn: '{person} rejected your request about “{meeting}”.{notes}',
  },
  meeting_request_returned: {
    titleAr: 'طلبك بشأن اجتماع يحتاج إلى تعديل',
    titleEn: 'Your meeting request needs changes',
    bodyAr: 'أُعيد إليك طلبك بشأن «{meeting}» لتعديله، بقرار من {person}.{notes}',
    bodyEn: '{person} asked you to change your request about “{meeting}”.{notes}',
  },
  schedule_not_archived: {
    titleAr: 'تعذّرت طباعة جدول اجتماعات',
    titleEn: 'A schedule could not be printed',
    bodyAr: 'تعذّرت طباعة جدول اجتماعات يوم {date}. اطبعه مرة أخرى.',
    bodyEn: 'The schedule for {date} could not be printed. Print it again.',
  },
  note_received: {
    titleAr: 'ملاحظة جديدة',
    titleEn: 'New note',
    bodyAr: 'وصلتك ملاحظة من {person}: «{note}».',
    bodyEn: '{person} sent you a note: “{note}”.',
  },
  note_replied: {
    titleAr: 'ردّ على ملاحظة',
    titleEn: 'Reply to a note',
    bodyAr: 'وصلك ردّ من {person} على الملاحظة «{note}».',
    bodyEn: '{person} replied to the note “{note}”.',
  },
  ...accessTemplates,
  ...securityTemplates,
  ...providerTemplates,
  ...tokenTemplates,
  ...sourceTemplates,
  ...webhookTemplates,
  ...auditStreamTemplates,
} as const satisfies Record<string, NoticeTexts>

declare module '../../platform/registry.ts' {
  interface Registry {
    templates: typeof templates
    noticeTypes: (typeof noticeTypes)[number]
    relatedTypes: (typeof relatedTypes)[number]
  }
}
