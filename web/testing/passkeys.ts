/** A device for passkeys, simulated by Chromium. Its person confirms each use. */
import type { Page } from 'playwright-core'

/** Adds a device to a page. `take` removes it with its passkeys. */
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
    /** The number of passkeys on the device. */
    count: async () => (await client.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
    /** Sets whether the person confirms uses of the device. */
    confirms: (is: boolean) => client.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: is }),
    take: () => client.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId }),
  }
}
