import { checkStorage } from './storage-check.ts'
import { partDropped, putAnswer } from './put-answer.ts'
import type { PutOutcome } from '#src/local/uploads/transfer/answers.ts'
import type { PartRequest, PartTransport } from '#src/local/uploads/ports.ts'
import { idleLimitMs, type PutPhase } from '#src/local/uploads/network/watchdog.ts'

/**
 * Part PUTs by XMLHttpRequest, the only API that reports upload progress. Works in pages and
 * dedicated workers; service workers have no XHR. Each phase has its own limit of silence, see
 * `watchdog.ts`.
 */
export function createXhrTransport(deps: {
  readonly origin: string
  readonly nowEpochMs: () => number
}): PartTransport {
  return {
    reportsProgress: true,
    put: (request) => put(request, deps),
    checkStorage: (url, signal) => checkStorage(fetch, new URL(url, deps.origin), signal),
    isForeign: (url) => new URL(url, deps.origin).origin !== deps.origin,
  }
}

function put(
  request: PartRequest,
  deps: { readonly origin: string; readonly nowEpochMs: () => number },
): Promise<PutOutcome> {
  if (request.signal.aborted) return Promise.reject(partDropped())
  const { promise, resolve, reject } = Promise.withResolvers<PutOutcome>()
  const xhr = new XMLHttpRequest()
  const url = new URL(request.url, deps.origin).href
  let phase: PutPhase = 'connecting'
  let movedBytes = 0
  let didStall = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const rest = (next: PutPhase): void => {
    phase = next
    clearTimeout(timer)
    timer = setTimeout(
      () => {
        didStall = true
        xhr.abort()
      },
      idleLimitMs(phase, request.body.size, request.pace),
    )
  }
  const onAbort = (): void => xhr.abort()
  const finish = (settle: () => void): void => {
    clearTimeout(timer)
    request.signal.removeEventListener('abort', onAbort)
    settle()
  }

  xhr.upload.onprogress = (event) => {
    if (event.loaded <= movedBytes) return
    movedBytes = event.loaded
    request.onSent(movedBytes)
    if (phase !== 'responding') rest('sending')
  }
  xhr.upload.onload = () => rest('responding')
  xhr.onload = () =>
    finish(() =>
      resolve(
        putAnswer(
          {
            status: xhr.status,
            header: (name) => xhr.getResponseHeader(name),
            body: xhr.responseText,
            finalUrl: xhr.responseURL,
          },
          url,
          deps.nowEpochMs(),
        ),
      ),
    )
  xhr.onerror = () => finish(() => resolve({ kind: 'silence', didStall: false, movedBytes }))
  xhr.onabort = () =>
    finish(() =>
      didStall ? resolve({ kind: 'silence', didStall: true, movedBytes }) : reject(partDropped()),
    )

  request.signal.addEventListener('abort', onAbort, { once: true })
  xhr.open('PUT', url)
  xhr.setRequestHeader('x-amz-checksum-sha256', request.sha256)
  rest('connecting')
  // A Blob with a type would send a Content-Type header, which the URL's signature does not cover.
  xhr.send(request.body.type === '' ? request.body : request.body.slice(0, request.body.size, ''))
  return promise
}
