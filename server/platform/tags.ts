/** Entity tags of states and bytes, in the headers of conditional requests. */
import type { IncomingHttpHeaders } from 'node:http'
import fresh from 'fresh'

/** The marks that compressing proxies add to a tag, before its closing quote or after it. */
const marks = /^(?:[-;]+(?:gzip|br|zstd|deflate))*$/

/**
 * Whether a list of tags, or `*`, names this one. A proxy that compresses an answer weakens its tag or marks it. The tag still stands for
 * the same state, and callers send it back in that form.
 */
export function namesTag(header: string, tag: string) {
  if (header.trim() === '*') return true
  const bare = tag.slice(1, -1)
  return header.split(',').some((one) => {
    const [, inside = '', after = ''] = /^(?:W\/)?"([^"]*)"(.*)$/.exec(one.trim()) ?? []
    return inside.startsWith(bare) && marks.test(inside.slice(bare.length)) && marks.test(after)
  })
}

/** Whether the caller has these very bytes already: by `If-None-Match`, else by `If-Modified-Since`. */
export function isFresh(headers: IncomingHttpHeaders, stored: { etag: string; 'last-modified'?: string }) {
  const sent = headers['if-none-match']
  return fresh(sent !== undefined && namesTag(sent, stored.etag) ? { ...headers, 'if-none-match': stored.etag } : headers, stored)
}
