/** The floor: a bare `node:http` server that answers each path with the same bytes as the portal. */

import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

interface Recorded {
  path: string
  headers: [string, string][]
  body: string
}
const recorded = JSON.parse(readFileSync(process.env['FLOOR_ANSWERS']!, 'utf8')) as Recorded[]
const answers = new Map(recorded.map(({ path, headers, body }) => [path, { headers: headers.flat(), body: Buffer.from(body) }]))

const server = createServer((request, response) => {
  const { headers, body } = answers.get(request.url!)!
  response.writeHead(200, headers).end(body)
})
server.listen(Number(process.env['FLOOR_PORT']), '127.0.0.1', () => console.log('the floor is ready'))
process.on('SIGTERM', () => process.exit(0))
