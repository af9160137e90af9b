/** The page that shows the OpenAPI document. */
import { readFileSync } from 'node:fs'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import Fastify from 'fastify'

/** The page loads everything from this server, over http if that is how the portal is reached. */
const PAGE_POLICY = {
  'default-src': "'self'",
  'img-src': "'self' data:",
  'base-uri': "'none'",
  'object-src': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
}

const asset = (filename: string) => readFileSync(new URL(`docs-page/${filename}`, import.meta.url))

/** The page, or something that it loads. All who read it share the bytes, however slowly they take them. */
interface Part {
  headers: Record<string, string>
  bytes: Buffer
}
const HEADERS = ['cache-control', 'content-security-policy', 'content-type', 'etag', 'last-modified']

/** The page that shows a document, and all that belongs to it, by their addresses below the page's. */
export async function makeDocsPage(document: object): Promise<Map<string, Part>> {
  const app = Fastify()
  await app.register(swagger, { mode: 'static', specification: { document: document as never } })
  await app.register(swaggerUi, {
    routePrefix: '/',
    staticCSP: PAGE_POLICY,
    logo: null as never,
    uiConfig: { layout: 'BaseLayout', docExpansion: 'none', deepLinking: true, defaultModelsExpandDepth: 0 },
    theme: {
      title: 'Bawaba · بوابة',
      css: [{ filename: 'portal.css', content: asset('portal.css').toString() }],
      js: [{ filename: 'portal.js', content: asset('portal.js').toString() }],
      favicon: [{ filename: 'portal.svg', rel: 'icon', sizes: 'any', type: 'image/svg+xml', content: asset('portal.svg') }],
    },
  })
  const parts = new Map<string, Part>()
  const add = async (address: string) => {
    const { statusCode, headers, rawPayload, payload } = await app.inject(`/${address}`)
    if (statusCode !== 200) throw new Error(`the page of the document lacks ${address}: ${statusCode}`)
    const chosen = Object.entries(headers).filter(([name]) => HEADERS.includes(name))
    parts.set(address, { headers: Object.fromEntries(chosen) as Record<string, string>, bytes: rawPayload })
    return payload
  }
  const page = await add('')
  for (const [, address] of page.matchAll(/(?:src|href)="\.\/([^"]+)"/g)) await add(address!)
  for (const address of ['json', 'yaml']) await add(address)
  await app.close()
  return parts
}
