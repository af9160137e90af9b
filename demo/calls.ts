/** API calls by the people of the demo. */

export type Call = <T>(method: string, path: string, body?: unknown) => Promise<T>
/** Returns the calls of a person, who is signed in on first use. */
export type As = (username: string) => Promise<Call>

/** The user agents of people's sessions. */
const browsers = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15',
  'Mozilla/5.0 (Linux; Android 15; SM-S931B) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
]
const browserOf = (username: string) => browsers[[...username].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % browsers.length]!

/** Signs someone in; returns a function that makes their calls and throws unless they succeed. */
export async function signIn(base: string, username: string, password: string): Promise<Call> {
  let cookie = ''
  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${base}/api${path}`, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), cookie, 'user-agent': browserOf(username) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    cookie ||= response.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    return (response.status === 204 ? undefined : await response.json()) as T
  }
  await call('POST', '/auth/login', { username, password })
  return call
}
