/** A database that records the statements sent to it, and answers with the rows that a sample provides. */
import {
  CamelCasePlugin,
  type CompiledQuery,
  type DatabaseConnection,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import type { Tx } from '../../server/platform/database/db.ts'
import type { Tables } from '../../server/platform/tables.ts'

/** A call of a query function. In `db(first, second)`, the first statement finds the rows `first`, and so on; further ones find no rows. */
export type Sample = (db: (...found: object[][]) => Tx) => unknown
/** Samples by the name of their function. A function that sends different statements has a sample for each case. */
export type Samples = Record<string, Sample | Record<string, Sample>>

/** Reads a streamed list to its end, so that all its statements are sent. */
async function readToEnd(result: unknown) {
  const chunks = (result as { chunks?: unknown } | undefined)?.chunks ?? result
  if (typeof chunks === 'object' && chunks !== null && Symbol.asyncIterator in chunks)
    for await (const _ of chunks as AsyncIterable<unknown>);
}

/** A database for a sample. It adds the statements sent to it to `statements`, and takes the rows that they find from `found`. */
function open(statements: string[], found: object[][]) {
  class Recorder extends DummyDriver {
    override async acquireConnection(): Promise<DatabaseConnection> {
      return {
        async executeQuery<Row>({ sql }: CompiledQuery) {
          statements.push(sql)
          return { rows: (found.shift() ?? []) as Row[] }
        },
        streamQuery: () => {
          throw new Error('the portal streams no statement')
        },
      }
    }
  }
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new Recorder(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  }) as Tx
}

/** The statements that a sample sends, in order. Throws if the sample fails, or provides rows for statements that it does not send. */
export async function statementsOf(sample: Sample) {
  const statements: string[] = []
  let left: object[][] = []
  await readToEnd(
    await sample((...found) => {
      left = found
      return open(statements, left)
    }),
  )
  if (left.length > 0) throw new Error(`it provides rows for ${left.length} more statements than it sends`)
  return statements
}
