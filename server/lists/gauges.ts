/** The figures of the database that the metrics show. */
import type { Figure } from '../platform/metrics/gauges.ts'
import { figureQueries as streamQueries } from '../record/audit-stream/queries.ts'
import { figureQueries } from '../site/system/queries.ts'

export const figures: Figure[] = [
  {
    name: 'jobs_due',
    help: 'Jobs that are due and wait to be run.',
    query: figureQueries.due,
  },
  {
    name: 'jobs_due_seconds',
    help: 'How long the oldest of them has been due.',
    query: figureQueries.oldestSeconds,
  },
  {
    name: 'jobs_given_up',
    help: 'Jobs whose last try has failed, and that are still in the queue.',
    query: figureQueries.givenUp,
  },
  {
    name: 'pushes_waiting',
    help: 'Pushes that have yet to be handed to the queue.',
    query: figureQueries.pushesWaiting,
  },
  {
    name: 'ledger_unsealed_seconds',
    help: 'Age of the oldest ledger row that no seal covers; 0 if there is none.',
    query: figureQueries.unsealedSeconds,
  },
  {
    name: 'audit_stream_behind',
    help: 'Entries that the collector of the audit stream was not sent; 0 without a collector.',
    query: streamQueries.behind,
  },
  {
    name: 'audit_stream_lag_seconds',
    help: 'How long the oldest of them has waited.',
    query: streamQueries.lagSeconds,
  },
]
