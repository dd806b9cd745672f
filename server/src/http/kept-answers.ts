import { createHash } from 'node:crypto'

/** For answers that are the same until the server starts again: kept, and asked for each time. */
export const REVALIDATED = 'private, no-cache'

interface KeptAnswer {
  readonly json: string
  readonly etag: string
}

/**
 * Answers that change only at a start of the server: made for the first caller and sent from memory
 * to all others, or as 304 to who has it. The server's answers to people without an account must
 * cost next to nothing.
 */
export function createKeptAnswers() {
  const kept = new Map<string, Promise<KeptAnswer>>()
  return {
    /** The answer of a name; `make` gives its JSON when it is not there yet. */
    async answer(
      name: string,
      headers: Readonly<Record<string, string>>,
      make: () => Promise<unknown>,
    ): Promise<Response> {
      const made = kept.get(name) ?? pack(make())
      kept.set(name, made)
      // What could not be made is tried again by the next caller.
      made.catch(() => kept.delete(name))
      const { json, etag } = await made
      const common = { 'cache-control': REVALIDATED, vary: 'cookie', etag }
      if (hasIt(headers['if-none-match'], etag))
        return new Response(null, { status: 304, headers: common })
      const type = { 'content-type': 'application/json; charset=utf-8' }
      return new Response(json, { headers: { ...common, ...type } })
    },
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
