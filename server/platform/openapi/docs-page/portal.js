SwaggerUIBundle({
  url: '../openapi.json',
  dom_id: '#swagger-ui',
  docExpansion: 'none',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
})

/** Gives the page the portal's name, from the portal's settings. */
fetch('../settings')
  .then((answer) => answer.json())
  .then(({ siteNameAr, siteNameEn }) => {
    document.title = siteNameAr === siteNameEn ? siteNameEn : `${siteNameEn} · ${siteNameAr}`
  })
  .catch(() => {})
