/** The part of a DOM document that the dictionaries need, so that tests can import them. */
Object.assign(globalThis, { document: { baseURI: 'http://portal.test/', documentElement: { lang: 'ar' } } })
