/** Debian's rsyslog as the collector of the audit stream, by syslog over TLS on loopback. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { after } from 'node:test'
import { makeCertificate } from './certificate.ts'
import { until } from './client.ts'
import { fileOf, type Line } from './collector.ts'
import { freePort } from './free-port.ts'
import { sharedFolder } from './setup.ts'

/** A message as rsyslog wrote it. */
export interface Message {
  id: number
  isReplayed: boolean
  /** Null if the JSON is incomplete. */
  line: Line
  structured: string
}

const isListening = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => socket.end(() => resolve(true)))
    socket.once('error', () => resolve(false))
  })

/** Starts rsyslog. It writes to a file, which `messages` reads. */
export async function openRsyslog() {
  const folder = mkdtempSync(join(sharedFolder(), 'rsyslog-'))
  const { key, cert } = makeCertificate('localhost')
  const port = await freePort()
  const [out, config] = [join(folder, 'out'), join(folder, 'rsyslog.conf')]
  const [certFile, keyFile] = [fileOf(cert), fileOf(key)]
  writeFileSync(
    config,
    `global(workDirectory="${folder}" maxMessageSize="64k"
  defaultNetstreamDriverCAFile="${certFile}" defaultNetstreamDriverCertFile="${certFile}" defaultNetstreamDriverKeyFile="${keyFile}")
module(load="imtcp" streamDriver.name="gtls" streamDriver.mode="1" streamDriver.authMode="anon")
template(name="whole" type="string" string="%structured-data%\\t%msg%\\n")
input(type="imtcp" port="${port}" address="127.0.0.1")
action(type="omfile" file="${out}" template="whole" asyncWriting="off" flushOnTXEnd="on")
`,
  )
  let running: ChildProcess | undefined

  const rsyslog = {
    env: { AUDIT_STREAM_URL: `syslog+tls://localhost:${port}`, AUDIT_STREAM_CA: certFile },
    async start() {
      running = spawn('rsyslogd', ['-n', '-f', config, '-i', join(folder, 'pid')], { stdio: 'ignore' })
      await until('rsyslog listens', () => isListening(port))
    },
    async stop(signal: NodeJS.Signals = 'SIGKILL') {
      if (!running || running.exitCode !== null || running.signalCode !== null) return
      const ended = once(running, 'exit')
      running.kill(signal)
      await ended
    },
    messages(): Message[] {
      if (!existsSync(out)) return []
      return readFileSync(out, 'utf8')
        .split('\n')
        .filter((line) => line.startsWith('[bawaba@32473'))
        .map((text) => {
          const [structured, message] = text.split('\t') as [string, string]
          const id = Number(/ id="(\d+)"/.exec(structured)![1])
          return { id, isReplayed: / replayed="true"/.test(structured), line: JSON.parse(message.replace(/^\s*\ufeff?/, '')), structured }
        })
    },
  }
  after(() => rsyslog.stop())
  await rsyslog.start()
  return rsyslog
}
