/** As much of a document as the dictionaries ask for, so that tests can read them. */
Object.assign(globalThis, { document: { documentElement: { lang: 'ar' } } })
