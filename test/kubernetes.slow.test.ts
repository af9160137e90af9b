/** Renders the manifests of deploy/kubernetes, and validates them against the schemas that Kubernetes and CloudNativePG publish. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { parseEnv } from 'node:util'
import { parseAllDocuments } from 'yaml'
import { isSecretsKey } from '../server/platform/config.ts'
import { needing } from './programs.ts'
import { scratch } from './scratch.ts'

const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(scratch, 'bawaba-kubernetes-'))
after(() => rmSync(folder, { recursive: true }))
cpSync(join(root, 'deploy/kubernetes'), folder, { recursive: true, filter: (path) => !/(secrets|database-portal)\.env$/.test(path) })
const makeSecrets = () => spawnSync('sh', [join(folder, 'make-secrets.sh')], { cwd: '/', encoding: 'utf8' })
const made = makeSecrets()

/** The package of Debian is older than 1.21, the first version whose `kustomize` reads these files. */
const kubectl = needing('kubectl', { isInDebian: false })

interface Container {
  env?: { name: string; value?: string; valueFrom?: { secretKeyRef?: { name: string; key: string } } }[]
  envFrom?: { configMapRef?: { name: string }; secretRef?: { name: string } }[]
  resources: { requests?: object; limits?: { memory?: string } }
  securityContext: object
  image: string
}
interface Pod {
  containers: Container[]
  securityContext: object
  automountServiceAccountToken: boolean
  volumes: { secret?: { secretName: string } }[]
}
interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string; namespace?: string }
  data?: Record<string, string>
  spec?: { template?: { spec: Pod } }
}
const render = () =>
  parseAllDocuments(execFileSync('kubectl', ['kustomize', folder], { encoding: 'utf8' })).map((one) => one.toJS() as Manifest)
const podsIn = (manifests: Manifest[]) => manifests.flatMap(({ spec }) => spec?.template?.spec ?? [])

/** The model of a kind, which knows its schema. */
async function modelOf({ apiVersion, kind }: Manifest) {
  const library = apiVersion.startsWith('postgresql.cnpg.io/') ? '@kubernetes-models/cloudnative-pg' : 'kubernetes-models'
  const models = (await import(`${library}/${apiVersion}/${kind}`)) as Record<string, new (data: unknown) => { validate(): void }>
  return models[kind]!
}

test('a script writes fresh secrets, readable by nobody else, and never replaces them', () => {
  assert.deepEqual([made.status, made.stderr], [0, ''])
  const read = (file: string) => parseEnv(readFileSync(join(folder, file), 'utf8')) as Record<string, string>
  for (const file of ['secrets.env', 'database-portal.env']) assert.equal(statSync(join(folder, file)).mode & 0o777, 0o600)
  assert.ok(isSecretsKey(read('secrets.env')['SECRETS_KEY']!))
  const { password, username } = read('database-portal.env')
  assert.deepEqual([username, /^[0-9a-f]{48}$/.test(password!)], ['bawaba_portal', true])
  assert.notEqual(password, read('secrets.env')['ADMIN_PASSWORD'])
  assert.equal(makeSecrets().status, 1)
  assert.equal(read('database-portal.env')['password'], password)
})

test('each manifest fits the schema of its kind', kubectl, async () => {
  const manifests = render()
  assert.ok(manifests.length >= 10)
  for (const one of manifests) {
    const Model = await modelOf(one)
    new Model(one).validate()
    if (one.kind !== 'Namespace') assert.equal(one.metadata.namespace, 'bawaba', one.kind)
  }
  // An invalid manifest is refused.
  const deployment = manifests.find(({ kind }) => kind === 'Deployment')!
  const Model = await modelOf(deployment)
  assert.throws(() => new Model({ ...deployment, spec: { replicas: 'three' } }).validate())
})

test('pods run without rights, within limits, and refer only to secrets and maps that exist', kubectl, () => {
  const manifests = render()
  const named = (kind: string) => manifests.filter((one) => one.kind === kind).map(({ metadata }) => metadata.name)
  // CloudNativePG makes the two secrets of the database.
  const secrets = [...named('Secret'), 'database-app', 'database-ca']
  const pods = podsIn(manifests)
  assert.equal(pods.length, 2)
  for (const { containers, securityContext, automountServiceAccountToken, volumes } of pods) {
    assert.partialDeepStrictEqual(securityContext, { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
    assert.equal(automountServiceAccountToken, false)
    for (const { secret } of volumes) if (secret) assert.ok(secrets.includes(secret.secretName), secret.secretName)
    for (const container of containers) {
      assert.partialDeepStrictEqual(container.securityContext, {
        readOnlyRootFilesystem: true,
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
      })
      assert.ok(container.resources.limits?.memory && container.resources.requests)
      assert.match(container.image, /^registry\.example\.org\/bawaba:\d/)
      for (const { configMapRef, secretRef } of container.envFrom ?? [])
        assert.ok(configMapRef ? named('ConfigMap').includes(configMapRef.name) : secrets.includes(secretRef!.name))
      for (const { valueFrom } of container.env ?? [])
        if (valueFrom?.secretKeyRef) assert.ok(secrets.includes(valueFrom.secretKeyRef.name), valueFrom.secretKeyRef.name)
    }
  }
})

test('README.md explains each variable that the manifests set', kubectl, () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const manifests = render()
  const kept = manifests.filter(({ kind, metadata }) => kind === 'ConfigMap' || metadata.name.startsWith('portal-secrets'))
  const names = [
    ...kept.flatMap(({ data = {} }) => Object.keys(data)),
    ...podsIn(manifests).flatMap(({ containers }) => containers.flatMap(({ env = [] }) => env.map(({ name }) => name))),
  ]
  // A variable of npm, and parts of the database’s addresses.
  const others = ['NPM_CONFIG_CACHE', 'PORTAL_PASSWORD', 'OWNER_PASSWORD']
  const unknown = names.filter((name) => !others.includes(name) && !readme.includes(`\`${name}\``))
  assert.deepEqual(unknown, [])
})
