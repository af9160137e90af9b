import { Type } from 'typebox'
import { given, kind, type Notice, type Recipients, type Settled, type TemplateFor } from '../../platform/changes/change-kind.ts'
import { OneOf } from '../../platform/http/shape.ts'
import { concernedBy } from './queries.ts'
import { type groupTitles, lapseNotices, lapseReasons, type paramsFor, requestChanged, statuses } from './rules.ts'

const about = { groupId: Type.Integer(), groupName: Type.String(), userId: Type.Integer() }
const Step = Type.Object({ ...about, status: OneOf(statuses) })
const Lapse = Type.Object({ ...about, reason: OneOf(lapseReasons) })
type About = { groupId: number; groupName: string; userId: number }

type Params = ReturnType<typeof paramsFor>
type Titles = ReturnType<typeof groupTitles>
interface Texts {
  params: Params
}
/** The log has neither reasons nor notes. */
const logged = ({ groupId, groupName, userId }: About) => ({ groupId, groupName, userId })

const notice = (requestId: number, recipients: Recipients, template: TemplateFor<Params['ar']>, params: Params): Notice => ({
  recipients,
  type: 'system',
  template,
  params,
  relatedType: 'access_request',
  relatedId: requestId,
})

/** The notices to the approvers of a request, which count as read once it is decided. */
const settled = (requestId: number) =>
  (['access_request_made', 'access_request_waiting'] as const).map(
    (template): Settled => ({ relatedType: 'access_request', relatedId: requestId, template }),
  )

export const accessRequestChanges = {
  'access_request.made': kind({
    targetType: 'access_request',
    facts: Step,
    needs: { recipients: given<number[]>(), payload: given<Texts>() },
    audits: ({ facts }) => ({ action: 'access.request', metadata: logged(facts) }),
    notifies: (_tx, { targetId, recipients, payload: { params } }) => [notice(targetId, recipients, 'access_request_made', params)],
    emits: (_tx, { targetId, facts: { groupId, userId } }) => [requestChanged(targetId, 'pending', concernedBy(groupId, userId))],
  }),
  /** One approval of a request, which may be the last that it needs. */
  'access_request.approved': kind({
    targetType: 'access_request',
    facts: Step,
    needs: { payload: given<Texts>() },
    audits: ({ facts }) => ({ action: 'access.approve', metadata: logged(facts) }),
    notifies: (_tx, { targetId, facts: { userId, status }, payload: { params } }) => [
      notice(targetId, [userId], status === 'approved' ? 'access_request_granted' : 'access_request_approved', params),
    ],
    emits: (_tx, { targetId, facts: { groupId, userId, status } }) => [requestChanged(targetId, status, concernedBy(groupId, userId))],
    settles: ({ targetId, facts: { status } }) => (status === 'approved' ? settled(targetId) : []),
  }),
  'access_request.denied': kind({
    targetType: 'access_request',
    facts: Step,
    needs: { payload: given<Texts>() },
    audits: ({ facts }) => ({ action: 'access.deny', metadata: logged(facts) }),
    notifies: (_tx, { targetId, facts: { userId }, payload: { params } }) => [notice(targetId, [userId], 'access_request_denied', params)],
    emits: (_tx, { targetId, facts: { groupId, userId } }) => [requestChanged(targetId, 'denied', concernedBy(groupId, userId))],
    settles: ({ targetId }) => settled(targetId),
  }),
  'access_request.withdrawn': kind({
    targetType: 'access_request',
    facts: Step,
    audits: ({ facts }) => ({ action: 'access.withdraw', metadata: logged(facts) }),
    emits: (_tx, { targetId, facts: { groupId, userId } }) => [requestChanged(targetId, 'withdrawn', concernedBy(groupId, userId))],
    settles: ({ targetId }) => settled(targetId),
  }),
  'access_request.lapsed': kind({
    targetType: 'access_request',
    facts: Lapse,
    needs: { recipients: given<number[]>(), payload: given<{ titles: Titles }>() },
    audits: ({ facts }) => ({ action: 'access.lapse', metadata: logged(facts) }),
    notifies: (_tx, { targetId, facts: { userId, reason }, payload: { titles } }) => [
      {
        recipients: [userId],
        type: 'system',
        template: lapseNotices[reason],
        params: { ar: { group: titles.ar }, en: { group: titles.en } },
        relatedType: 'access_request',
        relatedId: targetId,
      },
    ],
    emits: (_tx, { targetId, recipients }) => [requestChanged(targetId, 'lapsed', recipients)],
    settles: ({ targetId }) => settled(targetId),
  }),
  /**
   * Approvers learn of this lapse later than its requester, because many requests lapsed at once and had too many approvers for one
   * transaction.
   */
  'access_request.lapse_told': kind({
    targetType: 'access_request',
    facts: Type.Object({}),
    isKept: false,
    needs: { recipients: given<number[]>() },
    audits: 'nothing',
    emits: (_tx, { targetId, recipients }) => [requestChanged(targetId, 'lapsed', recipients)],
  }),
  /** The request still waits for approvers, who are reminded. */
  'access_request.reminded': kind({
    targetType: 'access_request',
    facts: Type.Object({ reminders: Type.Integer() }),
    needs: { recipients: given<number[]>(), payload: given<Texts>() },
    audits: 'nothing',
    notifies: (_tx, { targetId, recipients, payload: { params } }) => [notice(targetId, recipients, 'access_request_waiting', params)],
    emits: 'nothing',
  }),
}
