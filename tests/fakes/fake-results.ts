/** A server that has one finished file for every output, and what its line does to it. */
export interface FakeResults {
  readonly fetch: (request: Request) => Promise<Response>
  /** The `Range` of each request, in order. */
  readonly ranges: (string | null)[]
  /** Answers the next requests, first one first; then all goes well. */
  readonly faults: ((request: Request) => Promise<Response> | Response)[]
}

/** Answers as the download call of the contract does. `bytes` is what every file is. */
export function createFakeResults(bytes: Uint8Array<ArrayBuffer>): FakeResults {
  const ranges: (string | null)[] = []
  const faults: FakeResults['faults'] = []
  return {
    ranges,
    faults,
    fetch: async (request) => {
      ranges.push(request.headers.get('range'))
      const fault = faults.shift()
      if (fault !== undefined) return fault(request)
      request.signal.throwIfAborted()
      return answerRange(request, bytes)
    },
  }
}

/** The bytes that a request asks for, with the tag of its output. */
export function answerRange(request: Request, bytes: Uint8Array<ArrayBuffer>): Response {
  const outputId = /\/outputs\/([^/]+)\/download/.exec(request.url)?.[1] ?? ''
  const eTag = `"${outputId}"`
  const isSame = [null, eTag].includes(request.headers.get('if-range'))
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.get('range') ?? '') ?? []
  if (!isSame || first === undefined) return new Response(bytes, { headers: { etag: eTag } })
  return new Response(bytes.subarray(Number(first), Number(last) + 1), {
    status: 206,
    headers: { etag: eTag, 'content-range': `bytes ${first}-${last}/${bytes.length}` },
  })
}

/** As a server that refuses, in its own words. */
export function refuse(status: number, code: string): Response {
  return Response.json({ error: { code, message: code } }, { status })
}
