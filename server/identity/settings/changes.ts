import { Type } from 'typebox'
import { given, kind } from '../../platform/changes/change-kind.ts'
import type { enrolmentNotice } from './rules.ts'

export const signInChanges = {
  'sign_in_settings.updated': kind({
    targetType: 'sign_in_settings',
    facts: Type.Object({ changed: Type.Record(Type.String(), Type.Object({ from: Type.Unknown(), to: Type.Unknown() })) }),
    isSecurityEvent: true,
    audits: () => ({ action: 'sign_in.settings' }),
    emits: () => [{ event: 'settings_changed', data: {}, to: 'everyone' }],
  }),
  'sign_in_exception.added': kind({
    targetType: 'user',
    facts: Type.Object({ username: Type.String() }),
    isSecurityEvent: true,
    audits: () => ({ action: 'sign_in.exception.add' }),
    emits: 'nothing',
  }),
  'sign_in_exception.removed': kind({
    targetType: 'user',
    facts: Type.Object({ username: Type.String() }),
    isSecurityEvent: true,
    audits: () => ({ action: 'sign_in.exception.remove' }),
    emits: 'nothing',
  }),
  'user.reminded_of_enrolment': kind({
    targetType: 'user',
    facts: Type.Object({ due: Type.String() }),
    isKept: false,
    audits: 'nothing',
    needs: { payload: given<ReturnType<typeof enrolmentNotice>>() },
    notifies: (_tx, { targetId, payload }) => [{ recipients: [targetId], type: 'system', ...payload, relatedType: null, relatedId: null }],
    emits: 'nothing',
  }),
}
