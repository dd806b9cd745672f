import { parseCookies } from '#server/http/cookies.ts'

/**
 * One answer, its body parsed if it is JSON. The test names the type of `body`, so assert on it.
 */
export interface TestAnswer<T = unknown> {
  readonly status: number
  readonly headers: Headers
  readonly body: T
  readonly bytes: Uint8Array
}

/** What a test may add to a call. `headers` win over the client's own; null leaves a header out. */
interface CallOptions {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string | null>>
  readonly signal?: AbortSignal
}

/**
 * Acts like a browser: keeps cookies, sends the XSRF header and an `Origin`. Follows no
 * redirects.
 */
export interface TestClient {
  readonly origin: string
  /** Cookies by name, as the page would see them plus the HttpOnly ones. */
  readonly cookies: Map<string, string>
  /** `path` is below /editors/api when it starts with /v, else from the root of the origin. */
  call<T = unknown>(method: string, path: string, options?: CallOptions): Promise<TestAnswer<T>>
  get<T = unknown>(path: string, options?: CallOptions): Promise<TestAnswer<T>>
  post<T = unknown>(path: string, body?: unknown, options?: CallOptions): Promise<TestAnswer<T>>
  patch<T = unknown>(path: string, body?: unknown, options?: CallOptions): Promise<TestAnswer<T>>
  delete<T = unknown>(path: string, options?: CallOptions): Promise<TestAnswer<T>>
}

/** A new client with an empty cookie jar. */
export function createTestClient(origin: string): TestClient {
  const cookies = new Map<string, string>()

  async function call<T>(
    method: string,
    path: string,
    options: CallOptions = {},
  ): Promise<TestAnswer<T>> {
    const url = new URL(/^\/v\d/.test(path) ? `/editors/api${path}` : path, origin)
    const answer = await fetch(url, {
      method,
      redirect: 'manual',
      headers: headersFor(method, options),
      ...(options.body === undefined ? {} : { body: asBody(options.body) }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    })
    keepCookies(answer)
    const bytes = new Uint8Array(await answer.arrayBuffer())
    const isJson = answer.headers.get('content-type')?.includes('json') === true && bytes.length > 0
    return {
      status: answer.status,
      headers: answer.headers,
      body: (isJson ? JSON.parse(new TextDecoder().decode(bytes)) : undefined) as T,
      bytes,
    }
  }

  function headersFor(method: string, options: CallOptions): Record<string, string> {
    const headers: Record<string, string | null> = {}
    if (cookies.size > 0)
      headers['cookie'] = [...cookies]
        .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
        .join('; ')
    if (method !== 'GET' && method !== 'HEAD') {
      headers['origin'] = origin
      const token = cookies.get('XSRF-TOKEN')
      if (token !== undefined) headers['x-xsrf-token'] = token
    }
    if (options.body !== undefined) headers['content-type'] = 'application/json'
    Object.assign(headers, options.headers)
    return Object.fromEntries(
      Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== null),
    )
  }

  function keepCookies(answer: Response): void {
    for (const line of answer.headers.getSetCookie()) {
      const [pair, ...attributes] = line.split(';')
      const [[name, value] = ['', '']] = Object.entries(parseCookies(pair))
      if (attributes.some((attribute) => attribute.trim() === 'Max-Age=0')) cookies.delete(name)
      else cookies.set(name, value)
    }
  }

  return {
    origin,
    cookies,
    call,
    get: (path, options) => call('GET', path, options),
    post: (path, body, options) => call('POST', path, { ...options, body }),
    patch: (path, body, options) => call('PATCH', path, { ...options, body }),
    delete: (path, options) => call('DELETE', path, options),
  }
}

// Text and bytes are sent unchanged, so that a test can send a broken body.
function asBody(body: unknown): BodyInit {
  return typeof body === 'string' || body instanceof Uint8Array || body instanceof URLSearchParams
    ? (body as BodyInit)
    : JSON.stringify(body)
}
