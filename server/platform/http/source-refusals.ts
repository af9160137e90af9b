/** Records the refused calls of a source for the administrators who set it up, with no values of a call except ids. */
import type { FastifyRequest } from 'fastify'
import type pg from 'pg'
import type { Refusal } from '../errors/refusal.ts'
import { SCIM, speaksScim } from './scim.ts'

/** The codes of refusals that a directory gets in normal operation, or whose cause was announced to administrators. */
export const usualRefusals: readonly string[] = ['not_found', 'changed_meanwhile', 'rate_limited', 'forbidden']

/** Of usual refusals and of others, each: many usual ones would displace those of which administrators must be told. */
const MOST_REFUSALS = 50

/** The method and the address of a call, with names in place of ids. */
const callNameOf = ({ method, routeOptions }: Pick<FastifyRequest, 'method' | 'routeOptions'>) =>
  `${method} ${routeOptions.url?.slice(`/api${SCIM}`.length) ?? '?'}`

/** The id of the person or group in the address of a call. */
function targetOf({ params }: Pick<FastifyRequest, 'params'>) {
  const { id } = (params ?? {}) as { id?: string }
  return id !== undefined && /^[1-9]\d{0,8}$/.test(id) ? Number(id) : null
}

export const openSourceRefusals =
  (pool: pg.Pool, onError: (error: unknown) => void) => async (request: FastifyRequest, refusal: Refusal) => {
    if (!request.caller || !speaksScim(request)) return
    const { code, extras } = refusal
    await pool
      .query(
        `with source as (select id from provisioning_sources where user_id = $1), noted as (
         insert into source_refusals (source_id, call, code, target_id) select id, $2, $3, $4 from source)
       delete from source_refusals where source_id = (select id from source) and (code = any($5::text[])) = $6 and id <= (
         select id from source_refusals where source_id = (select id from source) and (code = any($5::text[])) = $6
         order by id desc offset ${MOST_REFUSALS - 1} limit 1)`,
        [
          ...[request.caller.actor.id, callNameOf(request), code, extras.about ?? targetOf(request)],
          ...[usualRefusals, usualRefusals.includes(code)],
        ],
      )
      .catch(onError)
  }
export type NoteSourceRefusal = ReturnType<typeof openSourceRefusals>
