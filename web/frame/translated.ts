/**
 * Keeps texts up to date while the browser translates the page. The browser replaces text nodes by elements, so later changes of a node
 * would not show. A changed node is put back, and the browser translates it anew. Returns a function that stops it.
 */
export function followTranslation() {
  const instead = new Map<Node, ChildNode>()
  const changes = new MutationObserver((all) => {
    for (const { target } of all) {
      instead.get(target)?.replaceWith(target)
      instead.delete(target)
    }
  })
  const replaced = new MutationObserver((all) => {
    for (const { removedNodes, addedNodes } of all) {
      const [text, element] = [removedNodes[0], addedNodes[0]]
      if (!(text instanceof Text) || element?.nodeName !== 'FONT') continue
      instead.set(text, element as ChildNode)
      changes.observe(text, { characterData: true })
    }
  })
  replaced.observe(document.body, { childList: true, subtree: true })
  return () => {
    replaced.disconnect()
    changes.disconnect()
  }
}
