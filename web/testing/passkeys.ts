/** A device that makes passkeys and confirms each use of them, as Chromium simulates it. */
import type { Page } from 'playwright-core'

/** Gives the page such a device. `take` removes it, with its passkeys. */
export async function addDevice(page: Page) {
  const client = await page.context().newCDPSession(page)
  await client.send('WebAuthn.enable', { enableUI: false })
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    /** How many passkeys it has. */
    count: async () => (await client.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
    /** Whether the person confirms its use. */
    confirms: (is: boolean) => client.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: is }),
    take: () => client.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId }),
  }
}
