/** The texts of notifications about grants, requests for access and reviews of it. */
import type { NoticeTexts } from '../../work/notifications/shapes.ts'

export const accessTemplates = {
  access_request_made: {
    titleAr: 'طلب انضمام إلى مجموعة',
    titleEn: 'A request for access',
    bodyAr: 'وصل طلب من {person} للانضمام إلى مجموعة «{group}».',
    bodyEn: '{person} asks to join “{group}”.',
  },
  access_request_waiting: {
    titleAr: 'طلب انضمام ينتظر البتّ فيه',
    titleEn: 'A request for access is waiting',
    bodyAr: 'ما زال طلب {person} الانضمام إلى مجموعة «{group}» ينتظر البتّ فيه.',
    bodyEn: 'The request of {person} to join “{group}” is still waiting for a decision.',
  },
  access_request_approved: {
    titleAr: 'موافقة على طلبك',
    titleEn: 'Your request got an approval',
    bodyAr: 'موافقة من {person} على طلبك الانضمام إلى مجموعة «{group}»، ولا تزال تلزمه موافقة أخرى.',
    bodyEn: '{person} approved your request to join “{group}”. It needs further approval.',
  },
  access_request_granted: {
    titleAr: 'قُبل طلبك',
    titleEn: 'Your request was approved',
    bodyAr: 'موافقة من {person} على طلبك الانضمام إلى مجموعة «{group}»، وأصبحت عضوًا فيها.',
    bodyEn: '{person} approved your request. You are now a member of “{group}”.',
  },
  access_request_denied: {
    titleAr: 'رُفض طلبك',
    titleEn: 'Your request was denied',
    bodyAr: 'رُفض طلبك الانضمام إلى مجموعة «{group}» بقرار من {person}.',
    bodyEn: '{person} denied your request to join “{group}”.',
  },
  access_request_undecided: {
    titleAr: 'انقضت مهلة طلبك',
    titleEn: 'Your request has lapsed',
    bodyAr: 'لم يُبتّ خلال 14 يومًا في طلبك الانضمام إلى مجموعة «{group}». يمكنك تقديم طلب جديد.',
    bodyEn: 'Nobody decided on your request to join “{group}” within 14 days. You can ask again.',
  },
  access_request_inactive: {
    titleAr: 'سقط طلبك',
    titleEn: 'Your request has lapsed',
    bodyAr: 'سقط طلبك الانضمام إلى مجموعة «{group}» بتعطيل حسابك.',
    bodyEn: 'Your request to join “{group}” lapsed when your account was deactivated.',
  },
  access_request_closed: {
    titleAr: 'سقط طلبك',
    titleEn: 'Your request has lapsed',
    bodyAr: 'لم يعد الانضمام إلى مجموعة «{group}» متاحًا بالطلب، فسقط طلبك.',
    bodyEn: '“{group}” can no longer be asked for, so your request has lapsed.',
  },
  access_request_needless: {
    titleAr: 'لم يعد لطلبك حاجة',
    titleEn: 'Your request is no longer needed',
    bodyAr: 'أصبحت عضوًا في مجموعة «{group}» من غير طلبك، فسقط الطلب.',
    bodyEn: 'You became a member of “{group}” in another way, so your request has lapsed.',
  },
  membership_ends_soon: {
    titleAr: 'عضوية توشك على الانتهاء',
    titleEn: 'A membership ends soon',
    bodyAr: 'تنتهي عضويتك في مجموعة «{name}» في {until}.',
    bodyEn: 'Your membership of “{name}” ends on {until}.',
  },
  role_ends_soon: {
    titleAr: 'دور يوشك على الانتهاء',
    titleEn: 'A role ends soon',
    bodyAr: 'ينتهي الدور «{name}» الممنوح لك في {until}.',
    bodyEn: 'Your role “{name}” ends on {until}.',
  },
  membership_ended: {
    titleAr: 'انتهت عضويتك',
    titleEn: 'Your membership has ended',
    bodyAr: 'انتهت عضويتك في مجموعة «{name}».',
    bodyEn: 'Your membership of “{name}” has ended.',
  },
  role_ended: {
    titleAr: 'انتهى دورك',
    titleEn: 'Your role has ended',
    bodyAr: 'انتهى الدور «{name}» الذي كان ممنوحًا لك.',
    bodyEn: 'Your role “{name}” has ended.',
  },
  access_review_started: {
    titleAr: 'مراجعة صلاحيات جديدة',
    titleEn: 'New access review',
    bodyAr: 'تنتظر المراجعة «{review}» قراراتك، وآخر موعد لها {until}.',
    bodyEn: '“{review}” is waiting for your decisions, until {until}.',
  },
  access_review_half: {
    titleAr: 'مضى نصف مدة مراجعة الصلاحيات',
    titleEn: 'Half of the time for an access review has passed',
    bodyAr: 'لم تقرر بعدُ في كل بنود المراجعة «{review}»، وآخر موعد لها {until}.',
    bodyEn: 'You have not decided on all items of “{review}” yet. It ends on {until}.',
  },
  access_review_ends: {
    titleAr: 'تنتهي مراجعة الصلاحيات خلال يوم',
    titleEn: 'An access review ends within a day',
    bodyAr: 'لم تقرر بعدُ في كل بنود المراجعة «{review}»، وآخر موعد لها {until}.',
    bodyEn: 'You have not decided on all items of “{review}” yet. It ends on {until}.',
  },
  access_review_unjudged: {
    titleAr: 'بنود بلا مراجع',
    titleEn: 'Items without a reviewer',
    bodyAr: 'في المراجعة «{review}» بنود لا يقرر فيها إلا المديرون، وآخر موعد لها {until}.',
    bodyEn: 'Only administrators can decide on some items of “{review}”, until {until}.',
  },
} as const satisfies Record<string, NoticeTexts>
