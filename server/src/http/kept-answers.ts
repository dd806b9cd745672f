import { createHash } from 'node:crypto'

/** For answers that are the same for most of the time: kept, and asked for each time. */
export const REVALIDATED = 'private, no-cache'

/** A worker that comes, or is silent, changes what is offered after this long. */
export const KEPT_FOR_MS = 30_000

interface KeptAnswer {
  readonly json: string
  readonly etag: string
}

/**
 * Answers that change only at a start of the server or of a worker: made for the first caller and
 * sent from memory to all others for 30 s, or as 304 to who has it. The server's answers to people
 * without an account must cost next to nothing.
 */
export function createKeptAnswers() {
  const kept = new Map<string, () => Promise<KeptAnswer>>()
  return {
    /** The answer of a name, whose first `make` gives its JSON: it is the same for all callers. */
    async answer(
      name: string,
      headers: Readonly<Record<string, string>>,
      make: () => Promise<unknown>,
    ): Promise<Response> {
      const read = kept.get(name) ?? keepFor(KEPT_FOR_MS, () => pack(make()))
      kept.set(name, read)
      const { json, etag } = await read()
      const common = { 'cache-control': REVALIDATED, vary: 'cookie', etag }
      if (hasIt(headers['if-none-match'], etag))
        return new Response(null, { status: 304, headers: common })
      const type = { 'content-type': 'application/json; charset=utf-8' }
      return new Response(json, { headers: { ...common, ...type } })
    },
  }
}

/** Reads something at most once in a time; what could not be read is tried again at once. */
export function keepFor<T>(ms: number, read: () => Promise<T>): () => Promise<T> {
  let last: { readonly value: Promise<T>; readonly untilMs: number } | null = null
  return async () => {
    if (last === null || performance.now() >= last.untilMs) {
      const value = read()
      last = { value, untilMs: performance.now() + ms }
      value.catch(() => {
        if (last?.value === value) last = null
      })
    }
    return await last.value
  }
}

async function pack(made: Promise<unknown>): Promise<KeptAnswer> {
  const json = JSON.stringify(await made)
  const hash = createHash('sha256').update(json).digest('base64url').slice(0, 16)
  return { json, etag: `"${hash}"` }
}

/** Proxies that compress make an ETag weak (RFC 9110 §8.8.1), and a client may have several. */
function hasIt(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  return (
    ifNoneMatch.trim() === '*' ||
    ifNoneMatch.split(',').some((each) => each.trim().replace(/^W\//, '') === etag)
  )
}
