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

/** What answers below `/api/docs`: an application of its own, asked by the one that serves. */
export async function openDocsPage(document: object) {
  const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } })
  await app.register(swagger, { mode: 'static', specification: { document: document as never } })
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    staticCSP: PAGE_POLICY,
    logo: null as never,
    // The page's addresses are relative to its folder, so that it also works where PUBLIC_URL has a path.
    uiHooks: { onRequest: (request, reply, done) => (/\/docs(\?|$)/.test(request.url) ? void reply.redirect('docs/') : done()) },
    uiConfig: { layout: 'BaseLayout', docExpansion: 'none', deepLinking: true, defaultModelsExpandDepth: 0 },
    theme: {
      title: 'Bawaba · بوابة',
      css: [{ filename: 'portal.css', content: asset('portal.css').toString() }],
      js: [{ filename: 'portal.js', content: asset('portal.js').toString() }],
      favicon: [{ filename: 'portal.svg', rel: 'icon', sizes: 'any', type: 'image/svg+xml', content: asset('portal.svg') }],
    },
  })
  await app.ready()
  return app
}
