/** Prints a fresh pair of keys for Web Push, as lines of an environment file: `npm run vapid`. */
import webpush from 'web-push'

const { publicKey, privateKey } = webpush.generateVAPIDKeys()
console.log(`VAPID_PUBLIC_KEY=${publicKey}
VAPID_PRIVATE_KEY=${privateKey}
VAPID_SUBJECT=mailto:someone@example.org`)
