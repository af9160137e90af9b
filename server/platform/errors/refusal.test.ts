import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldError } from './field-errors.ts'
import { Refusal, refusalStatus, refusals, refuse, refuseField } from './refusal.ts'
import { refusalBody } from './refusal-body.ts'

test('a refusal has the status of its code, or the given one', () => {
  assert.equal(refusalStatus(new Refusal('not_found')), 404)
  assert.equal(refusalStatus(new Refusal('not_found', { status: 400 })), 400)
})

test('the body of a refusal has both languages, and the given fields', () => {
  const [en, ar] = ['These ids do not exist: 7.', 'المعرّفات الآتية غير موجودة: 7.']
  const body = refusalBody(new Refusal('unknown_ids', { body: { unknownIds: [7] } }))
  assert.deepEqual(body, { error: en, code: 'unknown_ids', messageAr: ar, messageEn: en, unknownIds: [7] })
})

test('every code has both languages', () => {
  for (const code of Object.keys(refusals) as (keyof typeof refusals)[]) {
    const { messageEn, messageAr } = refusalBody(new Refusal(code))
    assert.match(messageEn, /^[A-Z].*\.$/, code)
    assert.match(messageAr, /[\u0600-\u06ff]/, code)
  }
})

test('`error` is a fixed text where the contract says so', () => {
  const fixed = (Object.keys(refusals) as (keyof typeof refusals)[])
    .map((code) => [code, refusalBody(new Refusal(code)).error] as const)
    .filter(([code, error]) => error !== refusals[code][1])
  assert.deepEqual(Object.fromEntries(fixed), {
    unauthorized: 'Unauthorized',
    forbidden: 'Forbidden',
    foreign_origin: 'Forbidden',
    system_role_permissions: 'system_role_permissions',
    already_claimed: 'already_claimed',
    undo_window_expired: 'undo_window_expired',
  })
})

test('`refuse` throws the refusal, and `refuseField` names the path', () => {
  assert.throws(() => refuse('forbidden', { retryAfter: 3 }), {
    name: 'Refusal',
    message: 'forbidden',
    code: 'forbidden',
    extras: { retryAfter: 3 },
  })
  assert.throws(() => refuseField('a.b', 'exists'), {
    code: 'validation_failed',
    extras: { body: { details: [fieldError('a.b', 'exists')] } },
  })
})

/** The contract’s statuses: moving a code to another status breaks every client. */
const statuses: Record<number, string> = {
  400: `validation_failed cannot_delete_self cannot_deactivate_self system_role system_role_permissions system_group system_permission
    unknown_ids missing_ids invalid_token invalid_password service_unavailable invalid_transition undo_window_expired not_executive too_much_to_print
    not_requestable reason_required too_many_items too_late grants_admin`,
  401: 'invalid_credentials unauthorized second_factor_required invalid_factor',
  403: `forbidden foreign_origin registration_closed not_for_tokens insufficient_scope enrolment_required confirmation_required`,
  404: 'not_found route_not_found',
  405: 'method_not_allowed',
  406: 'not_acceptable',
  408: 'body_too_slow',
  409: `username_taken email_taken slug_taken name_taken already_claimed has_dependents last_admin quota_exceeded upload_under_way answer_forgotten
    changed_since nothing_to_revert already_member already_requested no_approver awaiting_approval identity_taken form_changed managed_elsewhere last_sign_in_method
    last_break_glass import_under_way unexpected_deactivations`,
  412: 'changed_meanwhile',
  413: 'too_large',
  415: 'unsupported_media_type',
  416: 'range_not_satisfiable',
  422: 'idempotency_mismatch',
  429: 'rate_limited',
  500: 'internal',
  503: 'push_not_configured secrets_not_configured unavailable',
}
test('every code has the status of the contract', () => {
  const expected = Object.entries(statuses).flatMap(([status, codes]) => codes.split(/\s+/).map((code) => [code, Number(status)]))
  const actual = Object.entries(refusals).map(([code, [status]]) => [code, status])
  assert.deepEqual(actual.toSorted(), expected.toSorted())
})
