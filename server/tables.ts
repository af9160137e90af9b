/** The tables as queries see them; `migrations/` makes them. */

import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { HistoryKind } from './platform/changes/listed.ts'

type Stamp = ColumnType<Date, Date | string | undefined, Date | string>
type Computed<T> = ColumnType<T, never, never>

export type ClockStyle = 'full' | 'digital' | 'digital-no-seconds' | 'analog' | 'minimal'
export type NotificationSound = 'ding' | 'chime' | 'bell' | 'knock' | 'pop' | 'alert' | 'beep' | 'soft'
export type OpenMode = 'internal' | 'external_tab' | 'external_iframe'
export type Language = 'ar' | 'en'

export interface UsersTable {
  id: GeneratedAlways<number>
  username: string
  email: string
  passwordHash: string
  displayNameAr: string | null
  displayNameEn: string | null
  preferredLanguage: Generated<Language>
  clockStyle: ClockStyle | null
  clockHour12: boolean | null
  avatarUrl: string | null
  isActive: Generated<boolean>
  notificationSoundOrder: Generated<NotificationSound>
  notificationSoundMeeting: Generated<NotificationSound>
  notificationSoundNote: Generated<NotificationSound>
  notifyOrdersEnabled: Generated<boolean>
  notifyMeetingsEnabled: Generated<boolean>
  notifyNotesEnabled: Generated<boolean>
  vibrationEnabledOrder: Generated<boolean>
  vibrationEnabledMeeting: Generated<boolean>
  vibrationEnabledNote: Generated<boolean>
  notificationsMuted: Generated<boolean>
  createdAt: Stamp
  usernameKey: Computed<string>
  emailKey: Computed<string>
  search: Computed<string>
}

interface Described {
  id: GeneratedAlways<number>
  name: string
  descriptionAr: string | null
  descriptionEn: string | null
  isSystem: Generated<boolean>
}

export interface AppsTable {
  id: GeneratedAlways<number>
  slug: string
  nameAr: string
  nameEn: string
  descriptionAr: string | null
  descriptionEn: string | null
  iconName: string
  imageUrl: string | null
  route: string
  externalUrl: string | null
  openMode: Generated<OpenMode>
  color: string
  isActive: Generated<boolean>
  isSystem: Generated<boolean>
  sortOrder: Generated<number>
  createdAt: Stamp
  updatedAt: Stamp
}

export interface ServicesTable {
  id: GeneratedAlways<number>
  categoryId: number | null
  nameAr: string
  nameEn: string
  descriptionAr: string | null
  descriptionEn: string | null
  imageUrl: string | null
  price: string | null
  isAvailable: Generated<boolean>
  sortOrder: Generated<number>
  createdAt: Stamp
  updatedAt: Stamp
}

export type OrderStatus = 'pending' | 'received' | 'preparing' | 'completed' | 'cancelled'

export interface OrdersTable {
  id: GeneratedAlways<number>
  serviceId: number
  userId: number
  assignedTo: number | null
  notes: string | null
  status: Generated<OrderStatus>
  createdAt: Stamp
  updatedAt: Stamp
  cancelledAt: Date | null
}

export type NoteColor = 'default' | 'yellow' | 'green' | 'blue' | 'pink' | 'purple' | 'orange' | 'gray'
export type NoteRecipientStatus = 'unread' | 'read' | 'replied' | 'archived'

export interface NotesTable {
  id: GeneratedAlways<number>
  userId: number
  title: Generated<string>
  content: Generated<string>
  color: Generated<NoteColor>
  isPinned: Generated<boolean>
  isArchived: Generated<boolean>
  folderId: number | null
  createdAt: Stamp
  updatedAt: Stamp
  search: Computed<string>
}

export type MeetingStatus = 'scheduled' | 'completed' | 'postponed' | 'cancelled'
export type AttendeeKind = 'internal' | 'external' | 'virtual'

export interface MeetingsTable {
  id: GeneratedAlways<number>
  date: string
  startTime: string | null
  endTime: string | null
  titleAr: string | null
  titleEn: string | null
  locationAr: string | null
  locationEn: string | null
  meetingUrl: string | null
  notes: string | null
  status: Generated<MeetingStatus>
  isHighlighted: Generated<boolean>
  sortOrder: Generated<number>
  createdBy: number | null
  createdAt: Stamp
  updatedAt: Stamp
}

export type RequestType = 'create' | 'reschedule' | 'edit' | 'cancel' | 'attendees' | 'note'
export type RequestStatus = 'pending' | 'approved' | 'rejected' | 'needs_edit' | 'withdrawn'

export interface MeetingRequestsTable {
  id: GeneratedAlways<number>
  meetingId: number | null
  type: RequestType
  details: ColumnType<Record<string, unknown>, string, string>
  status: Generated<RequestStatus>
  reviewNotes: string | null
  requesterId: number | null
  reviewerId: number | null
  reviewedAt: ColumnType<Date | null, never, Date | null>
  createdAt: Stamp
  updatedAt: Stamp
}

export type TaskStatus = 'open' | 'in_progress' | 'done' | 'cancelled'

export interface MeetingTasksTable {
  id: GeneratedAlways<number>
  meetingId: number | null
  titleAr: string | null
  titleEn: string | null
  details: string | null
  assigneeId: number | null
  dueDate: string | null
  status: Generated<TaskStatus>
  createdBy: number | null
  createdAt: Stamp
  updatedAt: Stamp
}

export type Alignment = 'start' | 'center' | 'end'

export interface LedgerTable {
  id: GeneratedAlways<number>
  at: Stamp
  tx: Computed<string>
  kind: string
  targetType: string
  targetId: number
  actorId: number | null
  actorUsername: string | null
  action: string | null
  facts: ColumnType<Record<string, unknown>, string, never>
}

export interface Tables {
  users: UsersTable
  roles: Described & { createdAt: Stamp }
  permissions: Described
  groups: Described & { createdAt: Stamp; nameKey: Computed<string>; search: Computed<string> }
  rolePermissions: { roleId: number; permissionId: number }
  userRoles: { userId: number; roleId: number }
  groupUsers: { groupId: number; userId: number }
  groupRoles: { groupId: number; roleId: number }
  effectiveRoles: { userId: Computed<number>; roleId: Computed<number> }
  sessions: {
    id: GeneratedAlways<number>
    tokenHash: string
    userId: number
    createdAt: Stamp
    lastUsedAt: Stamp
    expiresAt: Stamp
    userAgent: string | null
    ip: string | null
    endedAt: ColumnType<Date | null, Date | null | undefined, Date | null>
  }
  passwordResets: { userId: number; tokenHash: string; expiresAt: Stamp }
  settings: {
    onlyRow: GeneratedAlways<boolean>
    siteNameAr: string
    siteNameEn: string
    registrationOpen: boolean
    footerTextAr: string
    footerTextEn: string
    updatedAt: Stamp | null
  }
  notifications: {
    id: GeneratedAlways<number>
    userId: number
    titleAr: string
    titleEn: string
    bodyAr: string | null
    bodyEn: string | null
    type: 'order' | 'note' | 'meeting' | 'system'
    relatedId: number | null
    relatedType: string | null
    isRead: Computed<boolean>
    readAt: ColumnType<Date | null, never, Date>
    createdAt: Stamp
  }
  pushSubscriptions: { id: GeneratedAlways<number>; userId: number; endpoint: string; p256dh: string; auth: string; createdAt: Stamp }
  pushes: { notificationId: number; subscriptionId: number }
  serviceCategories: { id: GeneratedAlways<number>; nameAr: string; nameEn: string; sortOrder: Generated<number>; createdAt: Stamp }
  services: ServicesTable
  orders: OrdersTable
  serviceOrderCounts: { serviceId: number; shard: number; count: number }
  objects: {
    id: GeneratedAlways<number>
    uuid: Generated<string>
    ownerId: number | null
    name: string
    size: number
    contentType: string
    tokenHash: string | null
    createdAt: Stamp
    expiresAt: Stamp
    uploadedAt: ColumnType<Date | null, never, Date>
    key: string | null
    etag: string | null
  }
  noteFolders: { id: GeneratedAlways<number>; userId: number; name: string; createdAt: Stamp; updatedAt: Stamp }
  noteLabels: { id: GeneratedAlways<number>; userId: number; name: string; color: Generated<NoteColor>; createdAt: Stamp }
  notes: NotesTable
  noteVersions: { userId: number; version: Generated<number> }
  noteLabelLinks: { noteId: number; labelId: number }
  noteRecipients: {
    id: GeneratedAlways<number>
    noteId: number
    recipientId: number
    status: Generated<NoteRecipientStatus>
    statusBefore: NoteRecipientStatus | null
    folderId: number | null
    sentAt: Stamp
    readAt: ColumnType<Date | null, never, Date | null>
    archivedAt: ColumnType<Date | null, never, Date | null>
  }
  noteReplies: { id: GeneratedAlways<number>; noteId: number; recipientId: number; isFromOwner: boolean; content: string; createdAt: Stamp }
  meetings: MeetingsTable
  meetingAttendees: {
    id: GeneratedAlways<number>
    meetingId: number
    place: number
    name: string
    title: string | null
    kind: AttendeeKind
    userId: number | null
  }
  meetingRequests: MeetingRequestsTable
  meetingTasks: MeetingTasksTable
  fontSettings: {
    id: GeneratedAlways<number>
    userId: number | null
    fontFamily: string
    fontSize: number
    fontWeight: number
    alignment: Alignment
    updatedAt: Stamp
  }
  pdfArchives: {
    id: GeneratedAlways<number>
    uuid: Generated<string>
    date: string
    language: Language
    content: ColumnType<Record<string, unknown>, string, never>
    meetingCount: number
    createdBy: number | null
    createdAt: Stamp
    key: string | null
    size: number | null
    sha256: string | null
    storedAt: ColumnType<Date | null, never, Date>
  }
  accessEpoch: { onlyRow: GeneratedAlways<boolean>; value: number }
  userAccess: { userId: number; isActive: boolean; version: Generated<number> }
  apps: AppsTable
  appPermissions: { appId: number; permissionId: number }
  groupApps: { groupId: number; appId: number }
  appOrders: { userId: number; appIds: number[] }
  appOpens: { id: GeneratedAlways<number>; appId: number; userId: number; createdAt: Stamp }
  appOpenDays: { appId: number; day: Computed<string>; count: Computed<number> }
  appOpenMonths: { appId: number; month: Computed<string>; count: Computed<number> }
  userOpenDays: { userId: number; day: Computed<string>; count: Computed<number> }
  userOpenPeaks: { day: Computed<string>; shard: number; peak: number }
  userOpenMonths: { userId: number; month: Computed<string>; count: Computed<number> }
  dayCounts: { what: 'signups' | 'services_created' | 'app_opens'; day: Computed<string>; shard: number; count: number }
  stateCounts: { what: 'active_users' | 'available_services' | 'unavailable_services'; shard: number; count: number }
  pastOpens: { onlyRow: GeneratedAlways<boolean>; version: number }
  ledger: LedgerTable
  auditCounts: { actorId: number; day: string; action: string; targetType: string; count: number }
  auditSeals: { id: number; at: Stamp; lastId: number; ids: number[]; contents: number[]; wholes: number[]; hash: Buffer }
  permissionHistory: {
    id: GeneratedAlways<number>
    at: Stamp
    kind: HistoryKind
    targetId: number
    added: number[]
    removed: number[]
    actorId: number | null
    actorUsername: string | null
  }
  events: {
    id: GeneratedAlways<number>
    tx: Computed<string>
    at: Stamp
    event: string
    data: ColumnType<unknown, string, never>
    recipients: number[] | null
    sessions: number[] | null
  }
  eventHorizon: { onlyRow: GeneratedAlways<boolean>; epoch: string; tx: string; id: number }
}
