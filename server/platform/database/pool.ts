/** A pool that gives out all connections through `acquire`, which subclasses override. */
import pg from 'pg'

type Done = (release?: boolean | Error) => void
type Callback = (error: Error | undefined, client: pg.PoolClient | undefined, done: Done) => void

/** Ignores a second release: graphile-worker releases twice when it stops without a database, and pg would throw. */
export class Pool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>
  override connect(callback: Callback): void
  override connect(callback?: Callback): Promise<pg.PoolClient> | void {
    const connected = this.acquire().then(releasedOnce)
    if (!callback) return connected
    connected.then(
      (client) => callback(undefined, client, client.release),
      (error) => callback(error, undefined, () => {}),
    )
  }

  protected acquire(): Promise<pg.PoolClient> {
    return super.connect()
  }
}

function releasedOnce(client: pg.PoolClient) {
  const { release } = client
  let isReleased = false
  client.release = (error) => {
    if (isReleased) return
    isReleased = true
    release(error)
  }
  return client
}
