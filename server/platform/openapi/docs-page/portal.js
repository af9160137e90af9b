SwaggerUIBundle({
  url: '../openapi.json',
  dom_id: '#swagger-ui',
  docExpansion: 'none',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
})

/** The page bears the portal's own name, as its settings have it. */
fetch('../settings')
  .then((answer) => answer.json())
  .then(({ siteNameAr, siteNameEn }) => {
    document.title = siteNameAr === siteNameEn ? siteNameEn : `${siteNameEn} · ${siteNameAr}`
  })
  .catch(() => {})
