/**
 * An address of the portal that came in the query of one; '/' for anything else. Browsers leave out tabs and line breaks, so what follows
 * `/⇥/` is another host to them, too.
 */
export const ownPath = (text: string) => (/^\/(?![/\\])\P{Cc}*$/u.test(text) ? text : '/')
