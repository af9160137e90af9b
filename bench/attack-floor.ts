/** The floor for `attack.ts`: a bare server that sends 64 MiB for the list of notes, and a short answer for everything else. */
import { createServer } from 'node:http'

const piece = Buffer.alloc(256 * 1024, 'س')
const little = Buffer.from('[]')

createServer((request, response) => {
  request.resume()
  if (request.url !== '/api/notes') return response.end(little)
  let left = 256
  const send = () => {
    while (left-- > 0) if (!response.write(piece)) return void response.once('drain', send)
    response.end()
  }
  send()
}).listen(Number(process.env['FLOOR_PORT']), '127.0.0.1', () => console.log('the floor is ready'))
process.on('SIGTERM', () => process.exit(0))
