/** Every endpoint of the portal, listed by hand, under the tags of the OpenAPI document. */

import * as access from '../access/explain/routes.ts'
import * as impact from '../access/impact/routes.ts'
import * as ownGrants from '../access/requests/grant-routes.ts'
import * as accessRequests from '../access/requests/routes.ts'
import * as accessReviews from '../access/reviews/routes.ts'
import * as confirmation from '../identity/accounts/confirmation-routes.ts'
import * as creation from '../identity/accounts/creation-routes.ts'
import * as accounts from '../identity/accounts/routes.ts'
import * as passkeys from '../identity/factors/passkey-routes.ts'
import * as factors from '../identity/factors/sign-in-routes.ts'
import * as totp from '../identity/factors/totp-routes.ts'
import * as userFactors from '../identity/factors/user-routes.ts'
import * as passwords from '../identity/passwords/routes.ts'
import * as providerCallback from '../identity/providers/callback-route.ts'
import * as identities from '../identity/providers/link-routes.ts'
import * as providerLogout from '../identity/providers/logout-route.ts'
import * as signInProviders from '../identity/providers/routes.ts'
import * as secondFactor from '../identity/providers/second-factor-route.ts'
import * as providerSignIn from '../identity/providers/sign-in-routes.ts'
import * as adoption from '../identity/scim/adoption-routes.ts'
import * as scimDiscovery from '../identity/scim/discovery-routes.ts'
import * as scimGroups from '../identity/scim/group-routes.ts'
import * as sources from '../identity/scim/source-routes.ts'
import * as standings from '../identity/scim/standing-routes.ts'
import * as scimUsers from '../identity/scim/user-routes.ts'
import * as userSessions from '../identity/sessions/user-routes.ts'
import * as signInExceptions from '../identity/settings/exception-routes.ts'
import * as signIn from '../identity/settings/routes.ts'
import * as tokens from '../identity/tokens/routes.ts'
import * as serviceTokens from '../identity/tokens/service-routes.ts'
import * as requestPolicies from '../people/groups/policy-routes.ts'
import * as groups from '../people/groups/routes.ts'
import * as imports from '../people/imports/routes.ts'
import * as managers from '../people/managers/routes.ts'
import * as roleDependents from '../people/roles/dependent-routes.ts'
import * as permissions from '../people/roles/permission-routes.ts'
import * as roles from '../people/roles/routes.ts'
import * as serviceAccounts from '../people/service-accounts/routes.ts'
import * as manyUsers from '../people/users/bulk-routes.ts'
import * as users from '../people/users/routes.ts'
import type { Endpoint } from '../platform/http/endpoint.ts'
import type { Listed } from '../platform/openapi/operation.ts'
import * as audit from '../record/audit/routes.ts'
import * as auditStream from '../record/audit-stream/routes.ts'
import * as history from '../record/history/routes.ts'
import * as histories from '../record/history/set-routes.ts'
import * as undo from '../record/undo/routes.ts'
import * as webhooks from '../record/webhooks/routes.ts'
import * as events from '../site/events/routes.ts'
import * as settings from '../site/settings/routes.ts'
import * as system from '../site/system/routes.ts'
import * as appAccess from '../work/apps/access-routes.ts'
import * as appDependents from '../work/apps/dependent-routes.ts'
import * as appOrder from '../work/apps/order-routes.ts'
import * as apps from '../work/apps/routes.ts'
import * as calendars from '../work/calendars/routes.ts'
import * as feed from '../work/meetings/feed/routes.ts'
import * as meetings from '../work/meetings/meetings/routes.ts'
import * as meetingRequests from '../work/meetings/requests/routes.ts'
import * as schedules from '../work/meetings/schedules/routes.ts'
import * as meetingTasks from '../work/meetings/tasks/routes.ts'
import * as noteFiling from '../work/notes/filing-routes.ts'
import * as ownedNotes from '../work/notes/owned-routes.ts'
import * as notes from '../work/notes/routes.ts'
import * as noteSharing from '../work/notes/sharing-routes.ts'
import * as notifications from '../work/notifications/routes.ts'
import * as orderApprovals from '../work/orders/approval-routes.ts'
import * as orderConversations from '../work/orders/conversation-routes.ts'
import * as orderDetails from '../work/orders/detail-routes.ts'
import * as placedOrders from '../work/orders/placed-routes.ts'
import * as reopenings from '../work/orders/reopening-routes.ts'
import * as orders from '../work/orders/routes.ts'
import * as presence from '../work/presence/routes.ts'
import * as push from '../work/push/routes.ts'
import * as orderReports from '../work/service-reports/routes.ts'
import * as serviceTeams from '../work/service-teams/routes.ts'
import * as serviceDependents from '../work/services/dependent-routes.ts'
import * as serviceForms from '../work/services/form-routes.ts'
import * as serviceHandlings from '../work/services/handling-routes.ts'
import * as servicePeople from '../work/services/people-routes.ts'
import * as services from '../work/services/routes.ts'
import * as stats from '../work/stats/routes.ts'
import * as storage from '../work/storage/routes.ts'

/** The name and description of each tag, and the modules whose endpoints it has. */
const groupsOfEndpoints: [name: string, description: string, ...modules: Record<string, Endpoint>[]][] = [
  ['account', 'Signing in and out, and people’s own settings', accounts, passwords, confirmation, factors, secondFactor, passkeys, totp],
  [
    'providers',
    'Signing in with providers (OpenID Connect), and which of them people can use',
    providerSignIn,
    providerCallback,
    identities,
    providerLogout,
    signInProviders,
  ],
  [
    'users',
    'The accounts of everyone, for administrators',
    users,
    creation,
    manyUsers,
    managers,
    userSessions,
    userFactors,
    ownedNotes,
    placedOrders,
  ],
  ['imports', 'People from CSV files', imports],
  ['provisioning', 'Directories that provision people and groups', sources, adoption, standings],
  ['scim', 'SCIM 2.0 (RFC 7643, 7644), for directories', scimDiscovery, scimUsers, scimGroups],
  ['tokens', 'API tokens, and the service accounts of programs', tokens, serviceAccounts, serviceTokens],
  ['groups', 'Groups of people, and the roles and apps that they give', groups, requestPolicies],
  ['roles', 'Roles and the permissions they grant', roles, permissions, roleDependents],
  ['apps', 'The launcher, and who sees which app', apps, appAccess, appOrder, appDependents],
  ['access', 'Why people see an app, and how a change would affect access', access, impact],
  ['access-requests', 'Asking to join groups, deciding on it, and one’s own grants', accessRequests, ownGrants],
  ['access-reviews', 'Reviews of who holds what, item by item', accessReviews],
  ['services', 'The catalogue of services', services],
  ['working-calendars', 'The hours in which teams work', calendars],
  [
    'service-handlings',
    'Who orders a service, with which form, and who does it',
    serviceHandlings,
    serviceForms,
    servicePeople,
    serviceDependents,
  ],
  ['service-teams', 'The teams that do the orders of services', serviceTeams],
  [
    'orders',
    'Orders of services, from the requester to the receiver',
    orders,
    orderDetails,
    orderConversations,
    orderApprovals,
    reopenings,
  ],
  ['service-reports', 'How many orders were placed, done and in time', orderReports],
  ['notifications', 'The notifications of each person', notifications],
  ['push', 'Notifications on browsers that are closed', push],
  ['notes', 'One’s own notes, and sending and answering notes', notes, noteFiling, noteSharing],
  [
    'executive-meetings',
    'An executive’s days: meetings, requests to change them, tasks, printed schedules and the calendars of attendees',
    meetings,
    meetingRequests,
    meetingTasks,
    schedules,
    feed,
  ],
  ['audit', 'Who changed what, and reverting it', audit, histories, history, undo],
  ['audit-stream', 'The audit log for a collector outside', auditStream],
  ['webhooks', 'Telling other programs of changes', webhooks],
  ['presence', 'Who else has the same record open', presence],
  ['storage', 'Uploaded files', storage],
  ['events', 'Changes, as they happen', events],
  ['sign-in', 'How people may sign in', signIn, signInExceptions],
  ['settings', 'The portal’s name, footer and registration', settings],
  ['stats', 'How the portal is used', stats],
  ['system', 'Whether the portal runs, and which version', system],
]

/** Most calls below `/auth/` need no session. Anybody can send them, so their bodies are limited to 16 KiB. */
const bodyLimitOf = ({ at }: Endpoint) => {
  if (/ \/auth\//.test(at)) return { bodyLimit: 16 * 1024 }
  if (at === 'POST /users/imports') return { bodyLimit: 16 * 1024 * 1024 }
  // Some directories change a group by sending all its members.
  return at.includes(' /scim/v2/Groups') ? { bodyLimit: 8 * 1024 * 1024 } : {}
}

export const endpoints = groupsOfEndpoints.flatMap(([name, description, ...modules]) => {
  const tag = { name, description }
  return modules
    .flatMap((module) => Object.entries(module))
    .map(
      ([operationId, endpoint]): Listed => ({
        ...endpoint,
        ...bodyLimitOf(endpoint),
        operationId,
        tag,
      }),
    )
})
