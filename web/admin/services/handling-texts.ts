import { texts } from '../../platform/language.ts'

const ar = {
  who: 'من يطلبها',
  everyone: 'الجميع',
  someGroups: 'مجموعات',
  everyoneHint: 'يراها ويطلبها كل من له حساب.',
  groupsHint: 'لا يراها ولا يطلبها إلا أعضاء هذه المجموعات.',
  groups: 'المجموعات',
  nobody: 'لا أحد بعد: اختر مجموعة واحدة على الأقل.',
  addGroup: 'أضف مجموعة',
  backDoor: (names: string) => `يمكن طلب الانضمام إلى ${names}، ومن ينضم إليها يطلب هذه الخدمة.`,
  doer: 'من ينجزها',
  team: 'الفريق',
  all: 'كل من يستلم الطلبات',
  allHint: 'تصل طلباتها إلى كل من يستلم الطلبات.',
  teamHint: 'تصل طلباتها إلى هذا الفريق وحده. وما استلمه غيره يعود إلى الانتظار.',
  noTeams: 'لا فرق بعد.',
  newTeam: 'أنشئ فريقًا',
  handlingSaved: 'حُفظ من يطلبها ومن ينجزها.',
}

const en: typeof ar = {
  who: 'Who may order',
  everyone: 'Everyone',
  someGroups: 'Groups',
  everyoneHint: 'Everyone with an account sees it and can order it.',
  groupsHint: 'Only members of these groups see it and can order it.',
  groups: 'Groups',
  nobody: 'Nobody yet: choose at least one group.',
  addGroup: 'Add a group',
  backDoor: (names) => `People can ask to join ${names}, and those who join can order this service.`,
  doer: 'Who does it',
  team: 'Team',
  all: 'Everybody who receives orders',
  allHint: 'Its orders reach everybody who receives orders.',
  teamHint: 'Its orders reach this team alone. Those that others have claimed go back to the queue.',
  noTeams: 'There are no teams yet.',
  newTeam: 'Create a team',
  handlingSaved: 'Who may order it and who does it is saved',
}

const both = { ar, en }
export const t = texts(both)
