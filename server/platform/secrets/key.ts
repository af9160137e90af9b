/** Finds the key of secrets when the portal starts: SECRETS_KEY or, with the embedded database, a file that is made once. */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { type Config, isSecretsKey } from '../config.ts'
import { withClient } from '../database/client.ts'
import { writeDurably } from '../process/write-durably.ts'
import { deriveKey } from './cipher.ts'
import { hasSecrets } from './rewriting.ts'

/** Identifies a key without revealing anything of it. */
const checkValueOf = (key: string) => deriveKey(Buffer.from(key, 'base64url'), 'check value')

const HINT = 'or run npm run admin -- forget-secrets'

async function readKeyFile(file: string) {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text !== undefined && !isSecretsKey(text.trim())) throw new Error(`${file} does not hold the 32 bytes of a key in base64url`)
  return text?.trim()
}

async function makeKeyFile(file: string) {
  const key = randomBytes(32).toString('base64url')
  await writeDurably(file, key)
  return key
}

async function readCheckValue(client: pg.Client) {
  const { rows } = await client.query<{ value: Buffer }>('select check_value as value from secrets_key')
  return rows[0]?.value
}

/** Whether this is the key of the secrets in the database, by its check value. */
async function isKeyOf(client: pg.Client, key: string | undefined) {
  return key !== undefined && (await readCheckValue(client))?.equals(checkValueOf(key)) === true
}

const keyFileOf = ({ dataDir }: Config) => join(dataDir, 'secrets.key')

/** The key that is configured, if there is one. Only the embedded database has a file. */
const configuredKey = async (config: Config) =>
  config.secretsKey ?? (config.databaseUrl === undefined ? await readKeyFile(keyFileOf(config)) : undefined)

/**
 * The configuration with the key of secrets; without a key for an external database whose operator gave none. Throws an error of one line
 * if it is not the key of the database. A database accepts the first key that it gets; an embedded one without secrets accepts any key.
 */
export const settleSecretsKey = (config: Config, connection: pg.PoolConfig) =>
  withClient(connection, async (client): Promise<Config> => {
    const isEmbedded = config.databaseUrl === undefined
    const given = await configuredKey(config)
    if (given === undefined && !isEmbedded) return config

    const isNew = (await readCheckValue(client)) === undefined
    const isKnown = (await isKeyOf(client, given)) || (await isKeyOf(client, config.secretsKeyBefore))
    const mayReplace = isEmbedded && !isNew && !isKnown && !(await hasSecrets(client))
    if (given === undefined && !isNew && !isKnown && !mayReplace)
      throw new Error(`${keyFileOf(config)} is missing, and the database has secrets of that key: put it back, ${HINT}`)
    const key = given ?? (await makeKeyFile(keyFileOf(config)))
    if (isNew || mayReplace)
      await client.query(
        `insert into secrets_key (check_value) values ($1)
         on conflict (only_row) ${mayReplace ? 'do update set check_value = excluded.check_value' : 'do nothing'}`,
        [checkValueOf(key)],
      )
    if (!isKnown && !(await isKeyOf(client, key)))
      throw new Error(
        `${config.secretsKey ? 'SECRETS_KEY' : keyFileOf(config)} is not the key of the secrets in the database: set that, ${HINT}`,
      )
    return Object.freeze({ ...config, secretsKey: key })
  })

/** Makes the database accept only this key from now on. */
export const acceptKey = (client: pg.Client, key: string) => client.query('update secrets_key set check_value = $1', [checkValueOf(key)])

/** Makes the database accept any key. Throws an error of one line if the configured key is right. */
export async function forgetKey(client: pg.Client, config: Config) {
  if (await isKeyOf(client, await configuredKey(config)))
    throw new Error('the configured key is that of the secrets: nothing has to be forgotten')
  await client.query('delete from secrets_key')
}
