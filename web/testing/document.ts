/** Fakes the part of a DOM document that modules of texts need, so that tests can import them. */
Object.assign(globalThis, { document: { baseURI: 'http://portal.test/', documentElement: { lang: 'ar' } } })
