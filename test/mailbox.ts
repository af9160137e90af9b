/** A mail server that stores its messages or rejects them. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

/** A mail server that runs until the tests of the file end. */
export async function openMailbox() {
  const received: (Email & { raw: string; recipients: string[] })[] = []
  const refused: string[] = []
  let refusals = 0
  let meanwhile: () => Promise<unknown> = async () => {}

  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    async onData(stream, session, done) {
      const raw = Buffer.concat(await stream.toArray()).toString()
      if (refusals > 0) {
        refusals--
        refused.push(raw)
        // Like many mail filters, this server quotes the text that it rejects.
        return done(Object.assign(new Error(`rejected: ${raw.replace(/=\r\n/g, '').match(/token=\S+/)?.[0]}`), { responseCode: 451 }))
      }
      const recipients = session.envelope.rcptTo.map(({ address }) => address)
      received.push({ ...(await PostalMime.parse(raw)), raw, recipients })
      await meanwhile()
      meanwhile = async () => {}
      done()
    },
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  after(() => new Promise<void>((resolve) => server.close(resolve)))
  return {
    /** The server has no TLS, and the URL has to say so. */
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}?ignoreTLS=true`,
    received,
    refused,
    /** Runs `act` after the server has received the next message and before it accepts the message. */
    hold: (act: typeof meanwhile) => {
      meanwhile = act
    },
    /** Rejects the next `count` messages. */
    refuse: (count: number) => {
      refusals = count
    },
  }
}
