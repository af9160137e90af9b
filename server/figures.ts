/** The figures of the database that the metrics show. */
import type { Figure } from './platform/figures.ts'

export const figures: Figure[] = [
  {
    name: 'jobs_due',
    help: 'Jobs that are due and wait to be run.',
    query: 'select count(*) from graphile_worker.jobs where run_at <= now() and locked_at is null and attempts < max_attempts',
  },
  {
    name: 'jobs_due_seconds',
    help: 'How long the first of them has been due.',
    query: `select coalesce(extract(epoch from now() - min(run_at)), 0) from graphile_worker.jobs
      where run_at <= now() and locked_at is null and attempts < max_attempts`,
  },
  {
    name: 'jobs_given_up',
    help: 'Jobs whose last try has failed, and that are still in the queue.',
    query: 'select count(*) from graphile_worker.jobs where attempts >= max_attempts and locked_at is null',
  },
  {
    name: 'pushes_waiting',
    help: 'Pushes that have yet to be handed to the queue.',
    query: 'select count(*) from pushes',
  },
  {
    name: 'ledger_unsealed_seconds',
    help: 'How long ago the oldest row of the ledger was written that no seal covers; 0 where there is none.',
    query: `select coalesce(extract(epoch from now() - min(at)), 0) from ledger where id > (select coalesce(max(last_id), 0) from audit_seals)`,
  },
]
