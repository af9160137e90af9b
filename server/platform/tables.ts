/** The tables as queries see them: written by `npm run tables` from the migrated database. */
import type { ColumnType, GeneratedAlways, InsertType, SelectType, UpdateType } from 'kysely'

type Generated<T> = ColumnType<SelectType<T>, InsertType<T> | undefined, UpdateType<T>>
type Timestamp = ColumnType<Date, Date | string, Date | string>
type Json = ColumnType<Record<string, unknown>, string, string>

export type AccessRequestStatus = 'pending' | 'approved' | 'denied' | 'withdrawn' | 'lapsed'
export type Alignment = 'start' | 'center' | 'end'
export type AttendeeKind = 'internal' | 'external' | 'virtual'
export type Language = 'ar' | 'en'
export type LapseReason = 'undecided' | 'requester_gone' | 'group_gone' | 'not_requestable' | 'already_member'
export type MeetingStatus = 'scheduled' | 'completed' | 'postponed' | 'cancelled'
export type NoteColor = 'default' | 'yellow' | 'green' | 'blue' | 'pink' | 'purple' | 'orange' | 'gray'
export type NoteRecipientStatus = 'unread' | 'read' | 'replied' | 'archived'
export type NotificationSound = 'ding' | 'chime' | 'bell' | 'knock' | 'pop' | 'alert' | 'beep' | 'soft'
export type OpenMode = 'internal' | 'external_tab' | 'external_iframe'
export type OrderStatus = 'pending' | 'received' | 'preparing' | 'completed' | 'cancelled'
export type RelatedType =
  | 'order'
  | 'note'
  | 'meeting'
  | 'meeting_request'
  | 'meeting_task'
  | 'user'
  | 'group'
  | 'role'
  | 'access_request'
  | 'access_review'
export type RequestStatus = 'pending' | 'approved' | 'rejected' | 'needs_edit' | 'withdrawn'
export type RequestType = 'create' | 'reschedule' | 'edit' | 'cancel' | 'attendees' | 'note'
export type TaskStatus = 'open' | 'in_progress' | 'done' | 'cancelled'

export interface Tables {
  accessApprovals: {
    requestId: number
    approverId: number
    approverUsername: string
    days: number | null
    note: string | null
    at: Generated<Timestamp>
  }
  accessEpoch: {
    onlyRow: Generated<boolean>
    value: Generated<number>
  }
  accessMoments: {
    beganAt: Generated<Timestamp>
    tx: Generated<string>
    endedAt: Timestamp | null
  }
  accessPast: {
    source: string
    one: number
    other: number
    line: Json
    since: Generated<Timestamp>
    until: Generated<Timestamp>
  }
  accessReasons: {
    userId: GeneratedAlways<number>
    appId: GeneratedAlways<number>
    via: GeneratedAlways<string>
    permissionId: GeneratedAlways<number>
    roleId: GeneratedAlways<number>
    groupId: GeneratedAlways<number>
    expiresAt: GeneratedAlways<Timestamp>
  }
  accessRequests: {
    id: GeneratedAlways<number>
    groupId: number
    requesterId: number
    requesterUsername: string
    reason: string | null
    days: number | null
    status: Generated<AccessRequestStatus>
    lapseReason: LapseReason | null
    neededApprovals: number
    decidedBy: number | null
    decidedByUsername: string | null
    decisionNote: string | null
    decidedAt: Timestamp | null
    grantEndsAt: Timestamp | null
    createdAt: Generated<Timestamp>
    updatedAt: Generated<Timestamp>
  }
  accessReviewItems: {
    id: GeneratedAlways<number>
    reviewId: number
    userId: number
    username: string
    nameAr: string
    nameEn: string
    groupId: number | null
    roleId: number | null
    targetName: string
    grantedAt: Timestamp
    expiresAt: Timestamp | null
    since: Timestamp | null
    grantedBy: number | null
    grantedByUsername: string | null
    appIds: number[]
    lastUsedAt: Timestamp | null
    verdict: 'keep' | 'remove' | null
    note: string | null
    reviewerId: number | null
    reviewerUsername: string | null
    judgedAt: Timestamp | null
    isUnjudged: Generated<boolean>
    outcome: 'kept' | 'removed' | 'skipped' | null
    skipReason: 'gone' | 'changed' | 'managed_elsewhere' | 'no_reviewer' | 'not_confirmed' | 'last_admin' | null
    state: GeneratedAlways<string>
    search: GeneratedAlways<string>
    decidedWith: Generated<'token' | 'session' | 'confirmation'>
  }
  accessReviews: {
    id: GeneratedAlways<number>
    titleAr: string | null
    titleEn: string | null
    groupIds: number[]
    roleIds: number[]
    reviewerUserIds: number[]
    dueDate: string
    ifSilent: 'keep' | 'remove'
    status: Generated<'open' | 'closing' | 'closed' | 'cancelled'>
    createdAt: Generated<Timestamp>
    createdBy: number
    createdByUsername: string
    endedAt: Timestamp | null
    closedAt: Timestamp | null
    closedBy: number | null
    closedByUsername: string | null
  }
  accessVersions: {
    userId: GeneratedAlways<number>
    isActive: GeneratedAlways<boolean>
    version: GeneratedAlways<number>
    mustEnrolAt: GeneratedAlways<Timestamp>
  }
  administration: {
    entry: GeneratedAlways<string>
    until: GeneratedAlways<Timestamp>
  }
  apiTokens: {
    id: GeneratedAlways<number>
    sessionId: number
    userId: number
    name: string
    lastFour: string
    createdBy: number | null
    createdAt: Generated<Timestamp>
    expiresAt: Timestamp
    lastUsedAt: Timestamp | null
    lastUsedIp: string | null
  }
  appOpenDays: {
    appId: number
    day: string
    count: number
    forgotten: Generated<number>
  }
  appOpenMonths: {
    appId: number
    month: string
    count: number
  }
  appOpenings: {
    appId: GeneratedAlways<number>
    via: GeneratedAlways<string>
    permissionId: GeneratedAlways<number>
    roleId: GeneratedAlways<number>
    groupId: GeneratedAlways<number>
  }
  appOpens: {
    id: GeneratedAlways<number>
    appId: number
    userId: number
    createdAt: Generated<Timestamp>
  }
  appOrders: {
    userId: number
    appIds: number[]
  }
  appPermissions: {
    appId: number
    permissionId: number
  }
  apps: {
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
    createdAt: Generated<Timestamp>
    updatedAt: Generated<Timestamp>
    search: GeneratedAlways<string>
  }
  auditCounts: {
    actorId: number
    day: string
    action: string
    targetType: string
    count: number
  }
  auditNames: {
    at: Timestamp
    id: number
    names: string
  }
  auditSeals: {
    id: number
    at: Generated<Timestamp>
    lastId: number
    ids: number[]
    contents: number[]
    wholes: number[]
    hash: Buffer
  }
  auditStream: {
    onlyRow: Generated<boolean>
    isOn: Generated<boolean>
    startedAt: Timestamp | null
    place: Generated<number>
    sentAt: Timestamp | null
    marks: Generated<Json>
    failingSince: Timestamp | null
    lastError: 'refused' | 'address' | 'dns' | 'tls' | 'timeout' | 'closed' | 'status' | null
    lastStatus: number | null
    refusedSince: Timestamp | null
    told: Generated<boolean>
    underWay: Generated<number>
    refusedPlace: number | null
  }
  auditStreamHorizon: {
    onlyRow: Generated<boolean>
    lastPlace: Generated<number>
    ledgerId: Generated<number>
    eventId: Generated<number>
    sealId: Generated<number>
    run: string | null
  }
  auditStreamPlaces: {
    place: number
    source: 'ledger' | 'security' | 'seal' | 'note'
    id: number
    at: Timestamp
    note: Json | null
  }
  dayCounts: {
    what: 'signups' | 'services_created' | 'app_opens'
    day: string
    shard: number
    count: number
  }
  deletions: {
    targetType: string
    targetId: number
    at: Generated<Timestamp>
    deletedAt: Generated<Timestamp>
    rows: Json
  }
  devices: {
    tokenHash: string
    userId: number
    knownAt: Generated<Timestamp>
    trustedUntil: Timestamp | null
  }
  directRoles: {
    userId: number
    roleId: number
    expiresAt: Timestamp | null
    changedAt: Generated<Timestamp>
  }
  effectiveRoles: {
    userId: GeneratedAlways<number>
    roleId: GeneratedAlways<number>
  }
  eventHorizon: {
    onlyRow: Generated<boolean>
    epoch: Generated<string>
    tx: Generated<string>
    id: Generated<number>
  }
  events: {
    id: GeneratedAlways<number>
    tx: Generated<string>
    at: Generated<Timestamp>
    event: string
    data: Json
    recipients: number[] | null
    sessions: number[] | null
  }
  fontSettings: {
    id: GeneratedAlways<number>
    userId: number | null
    fontFamily: string
    fontSize: number
    fontWeight: number
    alignment: Alignment
    updatedAt: Generated<Timestamp>
  }
  formerGroups: {
    groupId: number
    name: string
  }
  gatheredChanges: {
    userId: number
    kind: string
    since: Timestamp
    last: Timestamp
  }
  groupApps: {
    groupId: number
    appId: number
  }
  groupRoles: {
    groupId: number
    roleId: number
  }
  groupUsers: {
    groupId: GeneratedAlways<number>
    userId: GeneratedAlways<number>
    expiresAt: GeneratedAlways<Timestamp>
  }
  groups: {
    id: GeneratedAlways<number>
    name: string
    descriptionAr: string | null
    descriptionEn: string | null
    isSystem: Generated<boolean>
    createdAt: Generated<Timestamp>
    nameKey: GeneratedAlways<string>
    search: GeneratedAlways<string>
    managedByProvider: number | null
  }
  groupsFromElsewhere: {
    groupId: GeneratedAlways<number>
  }
  healthSamples: {
    at: Generated<Timestamp>
    databaseMs: number
    due: number
    oldestSeconds: number
    givenUp: number
    pushesWaiting: number
    streams: number
    unsealedSeconds: number
  }
  heldDeactivations: {
    sourceId: number
    userId: number
    at: Generated<Timestamp>
  }
  heldRoles: {
    userId: GeneratedAlways<number>
    roleId: GeneratedAlways<number>
    groupId: GeneratedAlways<number>
    expiresAt: GeneratedAlways<Timestamp>
  }
  idempotencyKeys: {
    userId: number
    keyHash: Buffer
    fingerprint: Buffer
    answer: Buffer
    createdAt: Generated<Timestamp>
  }
  identities: {
    id: GeneratedAlways<number>
    providerId: number
    subject: string
    userId: number
    email: string | null
    createdAt: Generated<Timestamp>
    lastUsedAt: Generated<Timestamp>
    emailVerified: Generated<boolean>
  }
  lastSeen: {
    userId: number
    at: Timestamp
  }
  lastingAdministrators: {
    userId: GeneratedAlways<number>
  }
  leases: {
    key: string
    holder: number
    held: number
  }
  ledger: {
    id: GeneratedAlways<number>
    at: Generated<Timestamp>
    tx: Generated<string>
    kind: string
    targetType: string
    targetId: number
    actorId: number | null
    actorUsername: string | null
    action: string | null
    facts: Json
  }
  madeKey: {
    onlyRow: Generated<boolean>
    value: Buffer
  }
  managers: {
    userId: number
    managerId: number
  }
  meetingAttendees: {
    id: GeneratedAlways<number>
    meetingId: number
    place: number
    name: string
    title: string | null
    kind: AttendeeKind
    userId: number | null
  }
  meetingRequests: {
    id: GeneratedAlways<number>
    meetingId: number | null
    type: RequestType
    details: Json
    status: Generated<RequestStatus>
    reviewNotes: string | null
    requesterId: number | null
    reviewerId: number | null
    reviewedAt: Timestamp | null
    createdAt: Generated<Timestamp>
    updatedAt: Generated<Timestamp>
    reason: string | null
  }
  meetingTasks: {
    id: GeneratedAlways<number>
    meetingId: number | null
    titleAr: string | null
    titleEn: string | null
    details: string | null
    assigneeId: number | null
    dueDate: string | null
    status: Generated<TaskStatus>
    createdBy: number | null
    createdAt: Generated<Timestamp>
    updatedAt: Generated<Timestamp>
  }
  meetings: {
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
    createdAt: Generated<Timestamp>
    updatedAt: Generated<Timestamp>
  }
  memberships: {
    groupId: number
    userId: number
    expiresAt: Timestamp | null
    changedAt: Generated<Timestamp>
  }
  noteFolders: {
    id: GeneratedAlways<number>
    userId: number
    name: string
    createdAt: Generated<Timestamp>
    updatedAt: Generated<Timestamp>
  }
  noteLabelLinks: {
    noteId: number
    labelId: number
  }
  noteLabels: {
    id: GeneratedAlways<number>
    userId: number
    name: string
    color: Generated<NoteColor>
    createdAt: Generated<Timestamp>
  }
  noteRecipients: {
    id: GeneratedAlways<number>
    noteId: number
    recipientId: number
    status: Generated<NoteRecipientStatus>
    statusBefore: 'unread' | 'read' | 'replied' | null
    folderId: number | null
    sentAt: Generated<Timestamp>
    readAt: Timestamp | null
    archivedAt: Timestamp | null
  }
  noteReplies: {
    id: GeneratedAlways<number>
    noteId: number
    recipientId: number
    isFromOwner: boolean
    content: string
    createdAt: Generated<Timestamp>
  }
  noteVersions: {
    userId: number
    version: Generated<number>
    notes: Generated<number>
    bytes: Generated<number>
    labels: Generated<number>
    folders: Generated<number>
  }
  notes: {
    id: GeneratedAlways<number>
    userId: number
    title: Generated<string>
    content: Generated<string>
    color: Generated<NoteColor>
    isPinned: Generated<boolean>
    isArchived: Generated<boolean>
    folderId: number | null
    createdAt: Generated<Timestamp>
    updatedAt: Generated<Timestamp>
    search: GeneratedAlways<string>
  }
  noticesCaused: {
    userId: number
    minute: Timestamp
    count: number
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
    relatedType: RelatedType | null
    createdAt: Generated<Timestamp>
    readAt: Timestamp | null
    isRead: GeneratedAlways<boolean>
    template: string | null
  }
  objectShares: {
    userId: number
    bytes: Generated<number>
    objects: Generated<number>
  }
  objects: {
    id: GeneratedAlways<number>
    uuid: Generated<string>
    ownerId: number | null
    name: string
    size: number
    contentType: string
    tokenHash: string | null
    createdAt: Generated<Timestamp>
    expiresAt: Generated<Timestamp>
    uploadedAt: Timestamp | null
    key: string | null
    etag: string | null
    isPrivate: Generated<boolean>
  }
  orderApprovals: {
    orderId: number
    place: number
    approverId: number
    approverUsername: string
    asAdmin: boolean
    isDenial: Generated<boolean>
    note: string | null
    at: Timestamp
  }
  orderDetails: {
    orderId: number
    transferCount: Generated<number>
    calendarId: number | null
    started: number | null
    receiveDue: number | null
    completeDue: number | null
    receivedAt: Timestamp | null
    receivedInTime: boolean | null
    completedAt: Timestamp | null
    completedInTime: boolean | null
    usedTime: number | null
    due: number | null
    formVersion: number | null
    answers: Json | null
    wantedAt: Timestamp | null
    waitingFor: 'requester' | 'third_party' | null
    waitingText: string | null
    waitingSince: Timestamp | null
    waitingUntil: Timestamp | null
    pausedFrom: number | null
    paused: Generated<number>
    reopenCount: Generated<number>
    cancelReason: string | null
    beneficiaryId: number | null
    beneficiaryUsername: string | null
    needsApproval: Generated<boolean>
    lapseReason: 'undecided' | 'requester_gone' | null
    said: string | null
  }
  orderFigures: {
    orderId: number
    serviceId: number
    teamId: number | null
    day: string
    status: string
    refusal: 'denied' | 'lapsed' | null
    reopenCount: Generated<number>
    calendarId: number | null
    started: number | null
    receivedAt: Timestamp | null
    completedAt: Timestamp | null
    receiveTime: number | null
    completeTime: number | null
    receivedInTime: boolean | null
    completedInTime: boolean | null
    isHeld: Generated<boolean>
    lateAt: Timestamp | null
  }
  orderFiles: {
    objectId: number
    orderId: number
    messageId: number | null
    noteId: number | null
  }
  orderInternalNotes: {
    id: Generated<number>
    orderId: number
    text: string
    isCounted: Generated<boolean>
    createdAt: Generated<Timestamp>
  }
  orderMessages: {
    id: Generated<number>
    orderId: number
    text: string
    isCounted: Generated<boolean>
    createdAt: Generated<Timestamp>
  }
  orderSteps: {
    orderId: number
    place: number
    key: string
    nameAr: string
    nameEn: string
    manager: boolean
    userIds: number[]
    groupIds: number[]
    needed: number
    openedAt: Timestamp | null
    doneAt: Timestamp | null
  }
  orders: {
    id: GeneratedAlways<number>
    serviceId: number
    userId: number
    assignedTo: number | null
    notes: string | null
    status: Generated<OrderStatus>
    createdAt: Generated<Timestamp>
    updatedAt: Generated<Timestamp>
    cancelledAt: Timestamp | null
    teamId: number | null
    hold: 'waiting' | 'refused' | null
  }
  passkeys: {
    id: GeneratedAlways<number>
    userId: number
    name: string
    credentialId: Buffer
    publicKey: Buffer
    counter: number
    transports: string[]
    maySync: boolean
    isSynced: boolean
    createdAt: Generated<Timestamp>
    lastUsedAt: Timestamp | null
  }
  passwordResets: {
    userId: number
    tokenHash: string
    expiresAt: Timestamp
    mailed: Generated<boolean>
  }
  pastOpens: {
    onlyRow: Generated<boolean>
    version: Generated<number>
  }
  pdfArchives: {
    id: GeneratedAlways<number>
    uuid: Generated<string>
    date: string
    language: Language
    content: Json
    meetingCount: number
    createdBy: number | null
    createdAt: Generated<Timestamp>
    key: string | null
    size: number | null
    sha256: string | null
    storedAt: Timestamp | null
    print: GeneratedAlways<number | null>
  }
  permissionHistory: {
    id: GeneratedAlways<number>
    at: Generated<Timestamp>
    kind: 'role.permissions' | 'user.roles' | 'user.groups' | 'group.users' | 'group.roles' | 'group.apps' | 'app.permissions'
    targetId: number
    added: number[]
    removed: number[]
    actorId: number | null
    actorUsername: string | null
    revertOf: Json | null
    ends: Generated<Json>
  }
  permissions: {
    id: GeneratedAlways<number>
    name: string
    descriptionAr: string | null
    descriptionEn: string | null
    isSystem: Generated<boolean>
    search: GeneratedAlways<string>
  }
  presences: {
    place: string
    userId: number
    isEditing: boolean
    since: Timestamp
    seenAt: Timestamp
  }
  providerCounts: {
    providerId: number
    hour: Timestamp
    outcome: string
    count: number
  }
  providerGroupRules: {
    providerId: number
    value: string
    groupId: number
    grantsAdmin: Generated<boolean>
  }
  providerStates: {
    providerId: number
    metadata: Json | null
    fetchedAt: Timestamp | null
    unreachableSince: Timestamp | null
    toldAt: Timestamp | null
  }
  providerTries: {
    id: Generated<number>
    providerId: number
    sessionId: number
    result: Buffer | null
    until: Timestamp
  }
  provisionedGroups: {
    groupId: number
    sourceId: number
    externalId: string | null
    version: Generated<number>
    modifiedAt: Generated<Timestamp>
    removedAt: Timestamp | null
  }
  provisionedUsers: {
    userId: number
    sourceId: number
    externalId: string | null
    userName: string
    userNameKey: GeneratedAlways<string>
    attributes: Json
    facets: Generated<string[]>
    switchedOff: Generated<boolean>
    modifiedAt: Generated<Timestamp>
    removedAt: Timestamp | null
  }
  provisioningSources: {
    id: GeneratedAlways<number>
    userId: number
    name: string
    isActive: Generated<boolean>
    adoptPeople: Generated<boolean>
    adoptGroups: Generated<boolean>
    nameLanguage: Generated<'auto' | 'ar' | 'en'>
    mayGrantAdmin: Generated<boolean>
    invite: Generated<boolean>
    allowance: Generated<number>
    heldAt: Timestamp | null
    createdAt: Generated<Timestamp>
    heldSince: Timestamp | null
    releasedAt: Timestamp | null
    lastCallAt: Timestamp | null
  }
  pushSubscriptions: {
    id: GeneratedAlways<number>
    userId: number
    endpoint: string
    p256dh: string
    auth: string
    createdAt: Generated<Timestamp>
    sessionId: number
  }
  pushes: {
    notificationId: number
    subscriptionId: number
  }
  rateLimits: {
    key: string
    counted: number
    underWay: number
    expiresAt: Timestamp
  }
  readyExceptions: {
    userId: GeneratedAlways<number>
  }
  recoveryCodes: {
    userId: number
    hash: string
    usedAt: Timestamp | null
  }
  regularJobs: {
    name: string
    lastAt: Timestamp
  }
  reminders: {
    kind: string
    subjectId: number
    objectId: Generated<number>
    deadline: Generated<Timestamp>
    days: Generated<number>
    sentAt: Generated<Timestamp>
  }
  requestPolicies: {
    groupId: number
    requestable: Generated<boolean>
    askerGroupIds: Generated<number[]>
    approverUserIds: Generated<number[]>
    approverGroupIds: Generated<number[]>
    minApprovals: Generated<number>
    maxDays: number | null
    reasonRequired: Generated<boolean>
    noteAr: string | null
    noteEn: string | null
    search: GeneratedAlways<string>
  }
  reviewFates: {
    id: GeneratedAlways<number>
    reviewId: GeneratedAlways<number>
    userId: GeneratedAlways<number>
    groupId: GeneratedAlways<number>
    roleId: GeneratedAlways<number>
    outcome: GeneratedAlways<string>
    givesAdmin: GeneratedAlways<boolean>
    fate: GeneratedAlways<string>
  }
  rolePermissions: {
    roleId: number
    permissionId: number
  }
  roles: {
    id: GeneratedAlways<number>
    name: string
    descriptionAr: string | null
    descriptionEn: string | null
    isSystem: Generated<boolean>
    createdAt: Generated<Timestamp>
    search: GeneratedAlways<string>
  }
  sealHorizon: {
    onlyRow: Generated<boolean>
    lastId: number
    tx: string
  }
  secondFactorRoles: {
    roleId: number
  }
  secretsKey: {
    onlyRow: Generated<boolean>
    checkValue: Buffer
  }
  securityEvents: {
    id: GeneratedAlways<number>
    at: Timestamp
    event: string
    actorId: number | null
    actorUsername: string | null
    targetType: string | null
    targetId: number | null
    ip: string | null
    fields: Json
    isWarning: Generated<boolean>
  }
  serviceAccounts: {
    userId: number
    contactUserId: number | null
  }
  serviceCategories: {
    id: GeneratedAlways<number>
    nameAr: string
    nameEn: string
    sortOrder: Generated<number>
    createdAt: Generated<Timestamp>
  }
  serviceFormKeys: {
    serviceId: number
    key: string
    kind: string
  }
  serviceForms: {
    serviceId: number
    version: number
    fields: Json
    createdAt: Generated<Timestamp>
  }
  serviceHandlings: {
    serviceId: number
    audience: 'everyone' | 'groups'
    audienceGroupIds: Generated<number[]>
    teamId: number | null
    receiveMinutes: number | null
    completeMinutes: number | null
    reopenDays: Generated<number>
    onBehalf: Generated<'nobody' | 'groups' | 'everyone'>
    onBehalfGroupIds: Generated<number[]>
    steps: Generated<Json>
  }
  serviceNotices: {
    serviceId: number
    noticeAr: string | null
    noticeEn: string | null
    paused: Generated<boolean>
    until: Timestamp | null
    offOptions: Generated<string[]>
  }
  serviceOrderCounts: {
    serviceId: number
    shard: number
    count: number
    held: Generated<number>
  }
  serviceTeams: {
    id: GeneratedAlways<number>
    nameAr: string
    nameEn: string
    groupIds: number[]
    leadUserIds: Generated<number[]>
    createdAt: Generated<Timestamp>
    updatedAt: Generated<Timestamp>
    calendarId: number | null
  }
  services: {
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
    createdAt: Generated<Timestamp>
    updatedAt: Generated<Timestamp>
  }
  sessions: {
    id: GeneratedAlways<number>
    tokenHash: string
    userId: number
    createdAt: Generated<Timestamp>
    lastUsedAt: Generated<Timestamp>
    expiresAt: Timestamp
    userAgent: string | null
    ip: string | null
    endedAt: Timestamp | null
    kind: Generated<'browser' | 'token' | 'calendar'>
    level: Generated<number>
    confirmedAt: Generated<Timestamp | null>
    scopes: string[] | null
    confirmedProviderId: number | null
    providerId: number | null
    identityId: number | null
    sid: string | null
    idToken: Buffer | null
    livesUntil: Timestamp | null
    byPasskey: Generated<boolean>
  }
  settings: {
    onlyRow: Generated<boolean>
    siteNameAr: Generated<string>
    siteNameEn: Generated<string>
    registrationOpen: Generated<boolean>
    footerTextAr: Generated<string>
    footerTextEn: Generated<string>
    updatedAt: Timestamp | null
    timeZone: Generated<string>
    currency: string | null
    feedId: Generated<string>
  }
  signInProviders: {
    id: Generated<number>
    slug: string
    nameAr: string
    nameEn: string
    iconName: Generated<string>
    sortOrder: Generated<number>
    isActive: Generated<boolean>
    isDefault: Generated<boolean>
    issuer: string
    clientId: string
    clientAuth: 'basic' | 'post' | 'none' | 'private_key_jwt'
    clientSecret: Buffer | null
    privateKey: Buffer | null
    publicKey: Json | null
    scopes: Generated<string>
    claims: Json
    requirements: Generated<Json>
    createPeople: Generated<boolean>
    linking: Generated<'ask' | 'verified_email' | 'never'>
    domains: Generated<string[]>
    groupMode: Generated<'add' | 'manage'>
    refreshProfile: Generated<boolean>
    secondFactor: Generated<'trusted' | 'claims' | 'own'>
    acrValues: Generated<string[]>
    sessionHours: number | null
    logout: Generated<'local' | 'provider'>
    logoutHint: Generated<'client_id' | 'id_token'>
    checkedAt: Timestamp | null
    createdAt: Generated<Timestamp>
    updatedAt: Generated<Timestamp>
    sourceId: number | null
  }
  signInSettings: {
    onlyRow: Generated<boolean>
    passwords: Generated<'everyone' | 'exceptions'>
    passkeys: Generated<'everyone' | 'exceptions'>
    graceDays: Generated<number>
    confirmAdministration: Generated<boolean>
    tokenMaxDays: Generated<number>
    personalTokens: Generated<boolean>
    trustDevices: Generated<boolean>
    updatedAt: Timestamp | null
  }
  sourceDeactivations: {
    id: GeneratedAlways<number>
    sourceId: number
    at: Generated<Timestamp>
    activeBefore: number
  }
  sourceRefusals: {
    id: GeneratedAlways<number>
    sourceId: number
    at: Generated<Timestamp>
    call: string
    code: string
    targetId: number | null
  }
  stateCounts: {
    what: 'active_users' | 'available_services' | 'unavailable_services'
    shard: number
    count: number
  }
  textsVersion: {
    onlyRow: Generated<boolean>
    value: Generated<number>
  }
  totp: {
    userId: number
    secret: Buffer | null
    lastStep: number | null
    createdAt: Generated<Timestamp>
    provenAt: Timestamp | null
  }
  usedOnce: {
    hash: string
    until: Timestamp
  }
  userAccess: {
    userId: number
    isActive: boolean
    version: Generated<number>
    mustEnrolAt: Timestamp | null
  }
  userImportRows: {
    importId: number
    place: number
    line: number | null
    cells: Generated<Json>
    verdict: 'create' | 'update' | 'unchanged' | 'refused' | 'deactivate' | 'changed_since'
    userId: number | null
    username: string | null
    changes: Generated<Json>
    details: Generated<Json>
    isNew: GeneratedAlways<boolean>
    isSettled: Generated<boolean>
  }
  userImports: {
    id: GeneratedAlways<number>
    createdBy: number
    state: Generated<'previewed' | 'applying' | 'applied' | 'failed' | 'discarded'>
    problem: 'not_administrator' | 'error' | null
    fileName: string | null
    encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1256'
    delimiter: string
    columns: string[]
    ignoredColumns: string[]
    counts: Generated<Json>
    groups: Generated<Json>
    done: Generated<number>
    total: Generated<number>
    deactivatesMissing: Generated<boolean>
    invites: Generated<boolean>
    linksTakenAt: Timestamp | null
    createdAt: Generated<Timestamp>
    expiresAt: Generated<Timestamp>
    mailsInvitations: Generated<boolean>
  }
  userOpenDays: {
    userId: number
    day: string
    count: number
  }
  userOpenMonths: {
    userId: number
    month: string
    count: number
  }
  userOpenPeaks: {
    day: string
    shard: number
    peak: number
  }
  userRoles: {
    userId: GeneratedAlways<number>
    roleId: GeneratedAlways<number>
    expiresAt: GeneratedAlways<Timestamp>
  }
  usernameLooks: {
    look: string
    userId: number
  }
  users: {
    id: GeneratedAlways<number>
    username: string
    email: string
    passwordHash: string | null
    displayNameAr: string | null
    displayNameEn: string | null
    preferredLanguage: Generated<Language>
    clockStyle: 'full' | 'digital' | 'digital-no-seconds' | 'analog' | 'minimal' | null
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
    createdAt: Generated<Timestamp>
    usernameKey: GeneratedAlways<string>
    emailKey: GeneratedAlways<string>
    search: GeneratedAlways<string>
    invitation: 'pending' | 'accepted' | null
    kind: Generated<'person' | 'service'>
    isException: Generated<boolean>
    hasExceptionPassword: Generated<boolean>
    handle: Buffer | null
    emailVouched: Generated<boolean>
    isProven: Generated<boolean>
    hasOlderWays: Generated<boolean>
  }
  webhookDeliveries: {
    webhookId: number
    sequence: number
    part: number
    type: string
    body: string
    eventAt: Timestamp
    state: Generated<'waiting' | 'delivered' | 'dead'>
    tries: Generated<number>
    nextAt: Generated<Timestamp | null>
    lastStatus: number | null
    lastError: 'refused' | 'address' | 'dns' | 'tls' | 'timeout' | 'closed' | 'status' | null
    lastMs: number | null
    settledAt: Timestamp | null
  }
  webhookHorizon: {
    onlyRow: Generated<boolean>
    settled: number
    lastId: number
    tx: string
  }
  webhooks: {
    id: Generated<number>
    name: string
    url: string
    types: string[]
    isActive: Generated<boolean>
    pausedBecause: 'administrator' | 'failures' | 'gone' | 'no_secret' | null
    secret: Buffer | null
    formerSecret: Buffer | null
    formerUntil: Timestamp | null
    place: number
    hasSkipped: Generated<boolean>
    failingSince: Timestamp | null
    told: Generated<number>
    deadToldAt: Timestamp | null
    restsUntil: Timestamp | null
    createdBy: number | null
    createdAt: Generated<Timestamp>
    begunAfter: Generated<number>
    underWay: Generated<number[]>
    rests: Generated<number>
  }
  workingCalendars: {
    id: GeneratedAlways<number>
    nameAr: string
    nameEn: string
    isDefault: Generated<boolean>
    weekly: Json
    periods: Generated<Json>
    daysOff: Generated<Json>
    createdAt: Generated<Timestamp>
    updatedAt: Generated<Timestamp>
  }
  workingSpans: {
    calendarId: number
    startsAt: Timestamp
    endsAt: Timestamp
    before: number
  }
}
