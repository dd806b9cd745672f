import { askOffset } from './ask-offset.ts'
import { ERROR_BODY_MAX_BYTES } from './error-body.ts'
import { partDropped, pieceHeaders, putAnswer, untyped } from './put-answer.ts'
import type { PartRequest, PartTransport, PutOutcome } from '#src/local/uploads/ports.ts'
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
    // The browser's own fetch refuses to be called as a method of something else.
    offset: (request) => askOffset(request, { ...deps, fetch: (...call) => fetch(...call) }),
    isForeign: (url) => new URL(url, deps.origin).origin !== deps.origin,
  }
}

function put(
  request: PartRequest,
  deps: { readonly origin: string; readonly nowEpochMs: () => number },
): Promise<PutOutcome> {
  if (request.signal.aborted) return Promise.reject(partDropped())
  const url = new URL(request.url, deps.origin).href
  return new XhrPut(request, url, deps.nowEpochMs).sent
}

/** One request, from `send` to its outcome. */
class XhrPut {
  readonly sent: Promise<PutOutcome>
  readonly #request: PartRequest
  readonly #url: string
  readonly #nowEpochMs: () => number
  readonly #xhr = new XMLHttpRequest()
  #phase: PutPhase = 'connecting'
  #movedBytes = 0
  #didStall = false
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(request: PartRequest, url: string, nowEpochMs: () => number) {
    this.#request = request
    this.#url = url
    this.#nowEpochMs = nowEpochMs
    const { promise, resolve, reject } = Promise.withResolvers<PutOutcome>()
    this.sent = promise.finally(() => {
      clearTimeout(this.#timer)
      request.signal.removeEventListener('abort', this.#onAbort)
    })
    const xhr = this.#xhr
    xhr.upload.onprogress = (event) => this.#moved(event.loaded)
    xhr.upload.onload = () => this.#rest('responding')
    xhr.onprogress = ({ loaded }) => {
      if (loaded <= ERROR_BODY_MAX_BYTES) return
      resolve(this.#answer(''))
      xhr.abort()
    }
    xhr.onload = () => resolve(this.#answer(xhr.responseText))
    xhr.onerror = () => resolve(this.#silence())
    xhr.onabort = () => (this.#didStall ? resolve(this.#silence()) : reject(partDropped()))
    request.signal.addEventListener('abort', this.#onAbort, { once: true })
    const { method, headers } = pieceHeaders(request)
    xhr.open(method, url)
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value)
    this.#rest('connecting')
    xhr.send(untyped(request.body))
  }

  readonly #onAbort = (): void => this.#xhr.abort()

  #moved(bytes: number): void {
    if (bytes <= this.#movedBytes) return
    this.#movedBytes = bytes
    this.#request.onSent(bytes)
    if (this.#phase !== 'responding') this.#rest('sending')
  }

  /** Begins a phase, with its limit of silence. */
  #rest(phase: PutPhase): void {
    this.#phase = phase
    clearTimeout(this.#timer)
    this.#timer = setTimeout(
      () => {
        this.#didStall = true
        this.#xhr.abort()
      },
      idleLimitMs(phase, this.#request.body.size, this.#request.pace),
    )
  }

  #answer(body: string): PutOutcome {
    const xhr = this.#xhr
    return putAnswer(
      {
        status: xhr.status,
        header: (name) => xhr.getResponseHeader(name),
        body,
        finalUrl: xhr.responseURL,
      },
      this.#url,
      this.#nowEpochMs(),
    )
  }

  #silence(): PutOutcome {
    return { kind: 'silence', didStall: this.#didStall, movedBytes: this.#movedBytes }
  }
}
