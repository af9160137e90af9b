/** Counters for the metrics, increased anywhere in this process. `registers` is empty because a registry adds them later. */
import { Counter } from 'prom-client'

const counter = (name: string, help: string, ...labelNames: string[]) => new Counter({ name, help, labelNames, registers: [] })

/** Counted by each process that serves. */
export const counters = {
  signIns: counter('sign_ins_total', 'Tries to sign in, by what came of them.', 'result'),
  pushed: counter('pushes_total', 'Tries to push to a browser, by what came of them.', 'result'),
  webhooks: counter('webhooks_total', 'Tries to send a message to a webhook, by what came of them.', 'result'),
  auditStream: counter('audit_stream_portions_total', 'Tries to send a portion of the audit stream, by what came of them.', 'result'),
  auditStreamLines: counter('audit_stream_lines_total', 'Lines of the audit stream that the collector has taken.'),
  jobFailures: counter('job_failures_total', 'Tries of jobs that failed and are made again.', 'job'),
  jobsGivenUp: counter('jobs_given_up_total', 'Jobs whose last try failed.', 'job'),
  jobRunnerRestarts: counter('job_runner_restarts_total', 'How often the job runner was replaced.'),
  objectStoreErrors: counter('object_store_errors_total', 'Failures of the object store.', 'operation'),
}

/** Counted by the main process. */
export const mainCounters = {
  databaseRestarts: counter('database_restarts_total', 'How often the embedded PostgreSQL was started again.'),
  workerRestarts: counter('worker_restarts_total', 'How often a worker was replaced.'),
}
