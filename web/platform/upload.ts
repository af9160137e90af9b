/** Uploads a file with progress, which only XMLHttpRequest reports. */
import { answer, api, shownOnce } from './client.ts'
import { Refusal, Unreached } from './refusal.ts'

interface Way {
  signal?: AbortSignal
  /** Called with the share that has been sent, from 0 to 1. */
  progress?: (part: number) => void
}

function put(address: string, file: Blob, { signal, progress }: Way) {
  return new Promise<void>((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('PUT', address)
    request.setRequestHeader('content-type', file.type)
    request.responseType = 'json'
    request.upload.onprogress = ({ loaded, total }) => progress?.(total ? loaded / total : 0)
    request.onload = () => (request.status < 300 ? resolve() : reject(new Refusal(request.status, request.response ?? {})))
    request.onerror = () => reject(new Unreached())
    request.onabort = () => reject(signal?.reason)
    signal?.addEventListener('abort', () => request.abort())
    request.send(file)
  })
}

/** Asks for an upload address and uploads a file there. Asks a second time if the address was lost with the first answer. */
async function fill<P extends { uploadURL: string | null }>(file: Blob, way: Way, ask: () => Promise<P>) {
  const first = await ask()
  const place = first.uploadURL === null ? await ask() : first
  way.signal?.throwIfAborted()
  // The portal sends its public address, but this page may be open at another address of the portal.
  const { pathname, search } = new URL(shownOnce(place.uploadURL), location.href)
  await put(pathname + search, file, way)
  return place
}

/** Stores a file under a name. Returns the path that records store, such as `/objects/uploads/…`. Aborting throws the signal's reason. */
export async function upload(file: Blob, name: string, way: Way = {}) {
  const body = { name, size: file.size, contentType: file.type }
  return (await fill(file, way, () => answer(api.POST('/storage/uploads/request-url', { body })))).objectPath
}

/** Stores a private file and returns its id. One order can attach the file by this id. */
export async function uploadPrivate(file: Blob, name: string, way: Way = {}) {
  // Many files have no type on the device, and the portal requires one.
  const typed = file.type ? file : new Blob([file], { type: 'application/octet-stream' })
  const body = { name, size: typed.size, contentType: typed.type }
  return (await fill(typed, way, () => answer(api.POST('/order-files/request-url', { body })))).fileId
}
