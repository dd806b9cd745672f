import { Agent, request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http'

type Listener = ((event: { readonly loaded: number }) => void) | null

/** Bytes read from a Blob and handed to the network at a time. */
const BLOCK_BYTES = 64 * 1_024
const agent = new Agent({ keepAlive: true, maxSockets: Infinity })

/**
 * As much of XMLHttpRequest as the part transport uses, over Node's HTTP, so that tests run the
 * app's own transport without a browser. Reports progress when bytes were handed to the system, as
 * browsers do. Follows no redirect. Passes `tests/suites/part-transport.ts`.
 */
export class NodeXhr {
  readonly upload: { onprogress: Listener; onload: Listener } = { onprogress: null, onload: null }
  onprogress: Listener = null
  onload: (() => void) | null = null
  onerror: (() => void) | null = null
  onabort: (() => void) | null = null
  status = 0
  responseText = ''
  responseURL = ''
  #request: ClientRequest | null = null
  #answer: IncomingMessage | null = null
  #isOver = false

  open(method: string, url: string): void {
    this.responseURL = url
    this.#request = httpRequest(url, { method, agent })
  }

  setRequestHeader(name: string, value: string): void {
    this.#request?.setHeader(name, value)
  }

  getResponseHeader(name: string): string | null {
    const value = this.#answer?.headers[name.toLowerCase()]
    return value === undefined ? null : String(value)
  }

  send(body: Blob | null = null): void {
    const request = this.#request
    if (request === null) throw new DOMException('not opened', 'InvalidStateError')
    request.once('response', (answer) => void this.#read(answer))
    request.on('error', () => {
      // An answer that came before the body was sent counts more than the broken connection.
      if (this.#answer === null) this.#end(() => this.onerror?.())
    })
    request.setHeader('Content-Length', body?.size ?? 0)
    this.#write(request, body ?? new Blob()).catch(() => this.#end(() => this.onerror?.()))
  }

  abort(): void {
    this.#end(() => this.onabort?.())
    this.#request?.destroy()
  }

  async #write(request: ClientRequest, body: Blob): Promise<void> {
    let whenClosed = (): void => undefined
    request.once('close', () => whenClosed())
    for (let at = 0; at < body.size && !this.#isOver; at += BLOCK_BYTES) {
      const block = new Uint8Array(await body.slice(at, at + BLOCK_BYTES).arrayBuffer())
      if (request.destroyed) return
      const isSent = await new Promise<boolean>((resolve) => {
        whenClosed = () => resolve(false)
        request.write(block, (problem) => resolve(problem == null))
      })
      if (!isSent) return
      if (!this.#isOver) this.upload.onprogress?.({ loaded: at + block.length })
    }
    request.end(() => {
      if (!this.#isOver && this.#answer === null) this.upload.onload?.({ loaded: body.size })
    })
  }

  async #read(answer: IncomingMessage): Promise<void> {
    this.#answer = answer
    this.status = answer.statusCode ?? 0
    try {
      const chunks: Buffer[] = []
      let loaded = 0
      for await (const chunk of answer as AsyncIterable<Buffer>) {
        chunks.push(chunk)
        loaded += chunk.length
        this.onprogress?.({ loaded })
        if (this.#isOver) return
      }
      this.responseText = Buffer.concat(chunks).toString()
      this.#end(() => this.onload?.())
    } catch {
      this.#end(() => this.onerror?.())
    }
  }

  #end(settle: () => void): void {
    if (this.#isOver) return
    this.#isOver = true
    settle()
  }
}
