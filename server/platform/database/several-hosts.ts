/** A database at several hosts, of which one is the primary: `postgres://…@one:5432,two:5432/portal?target_session_attrs=read-write`. */
import { Socket } from 'node:net'
import { checkServerIdentity, type PeerCertificate } from 'node:tls'
import pg from 'pg'
import { standby } from './runs.ts'

const WITHIN_MS = 1500
const PARTS = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*,[^/?#]*)(.*)$/

/** One address per host; the address itself if it has a single host. Undefined if it asks for anything but the primary. */
export function addressesOf(address: string): string[] | undefined {
  const [, account, hosts, rest] = PARTS.exec(address) ?? []
  const kind = /[?&]target_session_attrs=([^&]*)/.exec(address)?.[1] ?? 'read-write'
  if (!['read-write', 'primary'].includes(kind)) return undefined
  return hosts === undefined ? [address] : hosts.split(',').map((host) => `${account}${host}${rest}`)
}

interface Host {
  host: string
  port: number
}

/** Rejects unless the host is the primary. */
async function findWhetherPrimary(connectionString: string): Promise<Host> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: WITHIN_MS, query_timeout: WITHIN_MS })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby')
    if (rows[0]!.standby) throw standby()
    return { host: client.host, port: client.port }
  } finally {
    await client.end().catch(() => {})
  }
}

/** How to connect to an address: if it has several hosts, to the present primary. */
export function connectionOf(address: string): pg.PoolConfig {
  const addresses = addressesOf(address) ?? []
  if (addresses.length < 2) return { connectionString: address }
  const first: { user?: string; password?: string | null; database?: string; ssl: unknown; connectionParameters?: { options?: string } } =
    new pg.Client({ connectionString: addresses[0] })
  let primary: Host | undefined
  let finding: Promise<Host> | null = null
  const find = () => {
    finding ??= Promise.any(addresses.map(findWhetherPrimary))
      .catch(({ errors }: AggregateError) => Promise.reject(errors[0]))
      .finally(() => {
        finding = null
      })
    return finding
  }
  class PrimarySocket extends Socket {
    override connect(): this {
      find().then(
        (found) => {
          primary = found
          if (!this.destroyed) super.connect(found.port, found.host)
        },
        (error) => this.destroy(error),
      )
      return this
    }
  }
  /** Checks the certificate against the name of the host that is the primary. */
  const isPrimarys = (_name: string, certificate: PeerCertificate) => checkServerIdentity(primary!.host, certificate)
  const { user, password, database, ssl, connectionParameters } = first
  return {
    user,
    password: password ?? undefined,
    database,
    options: connectionParameters?.options,
    ...(ssl ? { ssl: { ...(typeof ssl === 'object' && ssl), checkServerIdentity: isPrimarys } } : {}),
    host: 'primary',
    port: 5432,
    stream: () => new PrimarySocket(),
  }
}
