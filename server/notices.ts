/** The texts of every notification, in both languages. */

interface Texts {
  titleAr: string
  titleEn: string
  bodyAr: string | null
  bodyEn: string | null
}

export const notices = {
  reset_asked: {
    titleAr: 'طلب استعادة كلمة المرور',
    titleEn: 'Password reset requested',
    bodyAr: 'طلب {person} رابطاً لاستعادة كلمة المرور.',
    bodyEn: '{person} asked for a password reset link.',
  },
  order_placed: {
    titleAr: 'طلب جديد',
    titleEn: 'New order',
    bodyAr: 'طلب {person} خدمة «{service}».',
    bodyEn: '{person} ordered “{service}”.',
  },
  order_claimed: {
    titleAr: 'استُلم طلبك',
    titleEn: 'Your order was received',
    bodyAr: 'استلم {person} طلبك لخدمة «{service}».',
    bodyEn: '{person} received your order of “{service}”.',
  },
  order_preparing: {
    titleAr: 'طلبك قيد التحضير',
    titleEn: 'Your order is being prepared',
    bodyAr: 'بدأ تحضير طلبك لخدمة «{service}».',
    bodyEn: 'Your order of “{service}” is being prepared.',
  },
  order_completed: {
    titleAr: 'اكتمل طلبك',
    titleEn: 'Your order is completed',
    bodyAr: 'اكتمل طلبك لخدمة «{service}».',
    bodyEn: 'Your order of “{service}” is completed.',
  },
  order_cancelled: {
    titleAr: 'أُلغي طلبك',
    titleEn: 'Your order was cancelled',
    bodyAr: 'أُلغي طلبك لخدمة «{service}».',
    bodyEn: 'Your order of “{service}” was cancelled.',
  },
  order_restored: {
    titleAr: 'أُعيد طلبك',
    titleEn: 'Your order was restored',
    bodyAr: 'أُلغي إلغاء طلبك لخدمة «{service}».',
    bodyEn: 'The cancellation of your order of “{service}” was undone.',
  },
  order_returned: {
    titleAr: 'طلبك في الانتظار من جديد',
    titleEn: 'Your order is waiting again',
    bodyAr: 'لم يعد مستلم طلبك لخدمة «{service}» متاحاً، وسيستلمه غيره.',
    bodyEn: 'Whoever had received your order of “{service}” is no longer available; someone else will receive it.',
  },
  meeting_scheduled: {
    titleAr: 'دُعيت إلى اجتماع',
    titleEn: 'You are invited to a meeting',
    bodyAr: '«{meeting}»، {when}.',
    bodyEn: '“{meeting}”, {when}.',
  },
  meeting_joined: {
    titleAr: 'أُضفت إلى اجتماع',
    titleEn: 'You were added to a meeting',
    bodyAr: '«{meeting}»، {when}.',
    bodyEn: '“{meeting}”, {when}.',
  },
  meeting_moved: {
    titleAr: 'تغيّر موعد اجتماع أو مكانه',
    titleEn: 'The time or place of a meeting changed',
    bodyAr: 'أصبح موعد «{meeting}»: {when}{where}.',
    bodyEn: '“{meeting}”: {when}{where}.',
  },
  meeting_postponed: {
    titleAr: 'أُجّل اجتماع',
    titleEn: 'A meeting was postponed',
    bodyAr: 'أُجّل اجتماع «{meeting}» الذي كان {when}.',
    bodyEn: '“{meeting}”, {when}, was postponed.',
  },
  meeting_cancelled: {
    titleAr: 'أُلغي اجتماع',
    titleEn: 'A meeting was cancelled',
    bodyAr: 'أُلغي اجتماع «{meeting}» الذي كان {when}.',
    bodyEn: '“{meeting}”, {when}, was cancelled.',
  },
  meeting_deleted: {
    titleAr: 'حُذف اجتماع',
    titleEn: 'A meeting was deleted',
    bodyAr: 'حُذف اجتماع «{meeting}» الذي كان {when}.',
    bodyEn: '“{meeting}”, {when}, was deleted.',
  },
  meeting_task_assigned: {
    titleAr: 'مهمة جديدة لك',
    titleEn: 'A task for you',
    bodyAr: 'المهمة «{task}»{due}.',
    bodyEn: '“{task}”{due}.',
  },
  meeting_task_changed: {
    titleAr: 'تغيّرت مهمة لك',
    titleEn: 'A task of yours changed',
    bodyAr: 'المهمة «{task}»{due}: {status}.',
    bodyEn: '“{task}”{due}: {status}.',
  },
  meeting_task_moved: {
    titleAr: 'تغيّرت حالة مهمة',
    titleEn: 'A task moved on',
    bodyAr: 'المهمة «{task}»{due}: {status}.',
    bodyEn: '“{task}”{due}: {status}.',
  },
  meeting_task_taken: {
    titleAr: 'لم تعد المهمة لك',
    titleEn: 'A task is no longer yours',
    bodyAr: 'المهمة «{task}»{due}.',
    bodyEn: '“{task}”{due}.',
  },
  meeting_task_deleted: {
    titleAr: 'حُذفت مهمة لك',
    titleEn: 'A task of yours was deleted',
    bodyAr: 'المهمة «{task}»{due}.',
    bodyEn: '“{task}”{due}.',
  },
  meeting_request_removed: {
    titleAr: 'سقط طلبك مع اجتماعه',
    titleEn: 'Your meeting request went with its meeting',
    bodyAr: 'حُذف اجتماع «{meeting}» الذي كان طلبك بشأنه.',
    bodyEn: '“{meeting}”, which your request was about, was deleted.',
  },
  meeting_request_made: {
    titleAr: 'طلب جديد بشأن الاجتماعات',
    titleEn: 'New meeting request',
    bodyAr: 'قدّم {person} طلباً بشأن «{meeting}».',
    bodyEn: '{person} made a request about “{meeting}”.',
  },
  meeting_request_resubmitted: {
    titleAr: 'أُعيد تقديم طلب بشأن الاجتماعات',
    titleEn: 'Meeting request resubmitted',
    bodyAr: 'عدّل {person} طلبه بشأن «{meeting}» وأعاد تقديمه.',
    bodyEn: '{person} revised the request about “{meeting}” and made it again.',
  },
  meeting_request_approved: {
    titleAr: 'قُبل طلبك',
    titleEn: 'Your meeting request was approved',
    bodyAr: 'قبل {person} طلبك بشأن «{meeting}».{notes}',
    bodyEn: '{person} approved your request about “{meeting}”.{notes}',
  },
  meeting_request_rejected: {
    titleAr: 'رُفض طلبك',
    titleEn: 'Your meeting request was rejected',
    bodyAr: 'رفض {person} طلبك بشأن «{meeting}».{notes}',
    bodyEn: '{person} rejected your request about “{meeting}”.{notes}',
  },
  meeting_request_returned: {
    titleAr: 'طلبك يحتاج إلى تعديل',
    titleEn: 'Your meeting request needs changes',
    bodyAr: 'أعاد {person} طلبك بشأن «{meeting}» لتعديله.{notes}',
    bodyEn: '{person} returned your request about “{meeting}” for changes.{notes}',
  },
  note_received: {
    titleAr: 'ملاحظة جديدة',
    titleEn: 'New note',
    bodyAr: 'أرسل إليك {person} ملاحظة: «{note}».',
    bodyEn: '{person} sent you a note: “{note}”.',
  },
  note_replied: {
    titleAr: 'رد على ملاحظة',
    titleEn: 'Reply to a note',
    bodyAr: 'ورد رد من {person} على الملاحظة «{note}».',
    bodyEn: '{person} replied to the note “{note}”.',
  },
} as const satisfies Record<string, Texts>

export type NoticeName = keyof typeof notices
