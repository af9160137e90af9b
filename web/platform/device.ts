/** Storage on this device: small settings for good, the cache of the signed-in person, and drafts until their person signs out. */
/** The portal's path without its first `/`; '' at the root. Portals below different paths of one host share the browser's storage. */
const scope = new URL(document.baseURI).pathname.slice(1)
/** Prefixes a storage key, so that it is this portal's alone. */
export const ours = (name: string) => scope + name

const open = () =>
  new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(ours('bawaba'), 1)
    request.onupgradeneeded = () => request.result.createObjectStore('kept')
    request.onsuccess = () => {
      // A sign-out clears the device's storage, and with it this connection.
      request.result.onclose = () => {
        database = undefined
      }
      resolve(request.result)
    }
    request.onerror = () => reject(request.error)
  })

let database: Promise<IDBDatabase> | undefined

async function ask<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T | undefined> {
  try {
    database ??= open()
    const store = (await database).transaction('kept', mode).objectStore('kept')
    return await new Promise<T>((resolve, reject) => {
      const request = act(store)
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
  } catch {
    // A private window may refuse to store anything. The page works without.
    database = undefined
    return undefined
  }
}

/** Sorts after every key with the same beginning. */
const END = '\uffff'

/** Larger data, such as drafts and the cache. Best effort: a browser may refuse to store anything. */
export const kept = {
  read: <T>(key: string) => ask<T>('readonly', (store) => store.get(key)),
  write: (key: string, value: unknown) => ask('readwrite', (store) => store.put(value, key)),
  remove: (key: string) => ask('readwrite', (store) => store.delete(key)),
  /** The values whose keys begin with a prefix. */
  readAll: <T>(start: string) => ask('readonly', (store) => store.getAll(IDBKeyRange.bound(start, start + END)) as IDBRequest<T[]>),
  /** Removes the values whose keys begin with a prefix, or lie between two keys. */
  removeAll: (start: string, end = start + END) => ask('readwrite', (store) => store.delete(IDBKeyRange.bound(start, end))),
}

/** Small settings of this device, such as the theme. A setting that is not there reads as null. */
export const setting = {
  read(name: string) {
    try {
      return localStorage.getItem(ours(name))
    } catch {
      return null
    }
  },
  /** The names of the settings that begin with a prefix. */
  names(start: string) {
    try {
      const all = Object.keys(localStorage).filter((name) => name.startsWith(ours(start)))
      return all.map((name) => name.slice(scope.length))
    } catch {
      return []
    }
  },
  write(name: string, value: string | null) {
    try {
      if (value === null) localStorage.removeItem(ours(name))
      else localStorage.setItem(ours(name), value)
    } catch {}
  },
}
