import { readPack, type PackedFile } from '#src/lib/pack-format.ts'

/** Written by the build (scripts/vite-install-pack.ts). */
const PACK = '/install.pack'
/** An update brings some files; a pack of all of them would be more to load. */
const WORTH_FILES = 40
/** What an answer says of the bytes on their way, and not of a file that was in them. */
const OF_THE_WAY = ['content-encoding', 'content-length', 'content-range', 'etag', 'last-modified']

/** A file that an install keeps; `cacheKey` names its version. */
interface WantedFile {
  readonly url: string
  readonly revision: string | null
  readonly cacheKey: string
}

export interface UnpackDeps {
  readonly cache: Pick<Cache, 'keys' | 'put'>
  readonly wanted: readonly WantedFile[]
  readonly fetch: (path: string) => Promise<Response>
}

/**
 * Keeps the files of a first install from one answer: 120 of them are else asked for one after the
 * other. Only files of this version are kept, each with the headers that the server gives to all of
 * them. Best effort: what is not kept is fetched by itself after.
 */
export async function unpack({ cache, wanted, fetch }: UnpackDeps): Promise<void> {
  const kept = new Set((await cache.keys()).map(({ url }) => url))
  const missing = wanted.filter(({ cacheKey }) => !kept.has(cacheKey))
  if (missing.length < WORTH_FILES) return
  const answer = await fetch(PACK)
  if (!answer.ok) return
  const files = readPack(new Uint8Array(await answer.arrayBuffer()))
  if (files === null) return
  const byName = new Map(files.map((file) => [nameOf(file), file]))
  await Promise.all(
    missing.map(async (one) => {
      const file = byName.get(nameOf(one))
      if (file !== undefined) await cache.put(one.cacheKey, answerOf(file, answer.headers))
    }),
  )
}

function nameOf({ url, revision }: Pick<WantedFile, 'url' | 'revision'>): string {
  return `${url} ${revision ?? ''}`
}

function answerOf({ bytes, type }: PackedFile, ofPack: Headers): Response {
  const headers = new Headers(ofPack)
  for (const name of OF_THE_WAY) headers.delete(name)
  headers.set('content-type', type)
  headers.set('content-length', String(bytes.byteLength))
  return new Response(bytes, { headers })
}
