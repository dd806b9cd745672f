import { expect, it } from 'vitest'
import { unpack } from '#workers/service/install-pack.ts'
import { readPack, writePack } from '#src/lib/pack-format.ts'

const COUNT = 60
const ORIGIN = 'https://onecut.test'
const keyOf = (at: number, revision: string | null) =>
  `${ORIGIN}/assets/${at}.js${revision === null ? '' : `?__WB_REVISION__=${revision}`}`
const textOf = (at: number) => `the ${at}th file, ä`
const bytesOf = (text: string) => new Uint8Array(new TextEncoder().encode(text))
/** Every third has a revision instead of a hash in its name. */
const revisionOf = (at: number) => (at % 3 === 0 ? `r${at}` : null)

function pack(revision = revisionOf): Uint8Array<ArrayBuffer> {
  return writePack(
    Array.from({ length: COUNT }, (_, at) => ({
      url: `assets/${at}.js`,
      revision: revision(at),
      type: 'text/javascript; charset=utf-8',
      bytes: bytesOf(textOf(at)),
    })),
  )
}

/** An install that has `kept` of the files already; what it keeps and how often it asks. */
async function install(answer: () => Response, kept = 0) {
  const stored = new Map<string, Response>()
  let asked = 0
  await unpack({
    wanted: Array.from({ length: COUNT }, (_, at) => ({
      url: `assets/${at}.js`,
      revision: revisionOf(at),
      cacheKey: keyOf(at, revisionOf(at)),
    })),
    cache: {
      keys: async () =>
        Array.from({ length: kept }, (_, at) => new Request(keyOf(at, revisionOf(at)))),
      put: async (key, response) => void stored.set(String(key), response),
    },
    fetch: async () => {
      asked += 1
      return answer()
    },
  })
  return { stored, asked }
}

it('MIS-01 a first install keeps all files from one answer, with the headers of the server', async () => {
  const headers = {
    'content-security-policy': "default-src 'self'",
    'content-type': 'application/octet-stream',
    'content-encoding': 'br',
    etag: '"pack"',
  }
  const { stored, asked } = await install(() => new Response(pack(), { headers }))
  expect([asked, stored.size]).toEqual([1, COUNT])
  const third = stored.get(keyOf(3, 'r3'))
  expect(await third?.text()).toBe(textOf(3))
  expect(Object.fromEntries(third?.headers ?? [])).toEqual({
    'content-security-policy': "default-src 'self'",
    'content-type': 'text/javascript; charset=utf-8',
    'content-length': String(bytesOf(textOf(3)).byteLength),
  })
})

it('an update of few files does not load the pack of all', async () => {
  expect(await install(() => new Response(pack()), COUNT - 39)).toMatchObject({ asked: 0 })
  const { stored, asked } = await install(() => new Response(pack()), COUNT - 40)
  expect([asked, stored.size]).toEqual([1, 40])
})

it('files of another version are left to be fetched by themselves', async () => {
  const { stored } = await install(() => new Response(pack((at) => (at % 3 === 0 ? 'next' : null))))
  expect(stored.size).toBe(40)
})

it('nothing is kept of half a pack, of a page, of an error', async () => {
  const whole = pack()
  for (const answer of [
    new Response(whole.slice(0, -1)),
    new Response('<!doctype html>\n<p>Sign in</p>'),
    new Response('[{"url":"assets/1.js"}]\n'),
    new Response(whole, { status: 503 }),
  ])
    expect((await install(() => answer)).stored.size).toBe(0)
  expect(readPack(new Uint8Array())).toBeNull()
})
