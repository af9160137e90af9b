/** `npm run admin -- rotate-secrets` and `forget-secrets`. */
import type pg from 'pg'
import type { Config } from '../platform/config.ts'
import { withClient } from '../platform/database/client.ts'
import { acceptKey, forgetKey, settleSecretsKey } from '../platform/secrets/key.ts'
import { forgetSecrets, rotateSecrets } from '../platform/secrets/rewriting.ts'
import { keysOf } from '../platform/secrets/secrets.ts'

/** Encrypts all secrets with the new key; exits with 1 if neither key decrypts some of them. */
export async function printRotation(given: Config, connection: pg.PoolConfig) {
  if (!given.secretsKeyBefore) throw new Error('SECRETS_KEY_BEFORE: got nothing, takes the former key, while SECRETS_KEY is the new one')
  const config = await settleSecretsKey(given, connection)
  const [key, before] = keysOf(config)
  await withClient(connection, async (client) => {
    const { rotated, unreadable } = await rotateSecrets(client, key!, before!)
    console.log(`Encrypted ${rotated} secrets with the new key.`)
    if (unreadable.length === 0) await acceptKey(client, config.secretsKey!)
    else process.exitCode = 1
    for (const place of unreadable) console.error(`neither key decrypts ${place}`)
  })
}

/** Deletes all secrets, because their key is lost, so that the portal can start with another one. */
export async function printForgetting(config: Config, connection: pg.PoolConfig) {
  await withClient(connection, async (client) => {
    await forgetKey(client, config)
    console.log(`Forgot ${await forgetSecrets(client)} secrets. The portal takes another key at its next start.`)
  })
}
